//! What the options of the players mean, in a few words each.

/// What an option means; the same name means the same with every player.
pub fn option_help(key: &str) -> Option<&'static str> {
    HELP.iter().find(|(known, _)| *known == key).map(|&(_, help)| help)
}

const HELP: &[(&str, &str)] = &[
    // Monte Carlo tree search.
    ("c", "the exploration coefficient"),
    ("bias", "how the prior of a move enters its selection"),
    ("w", "the weight of the bias"),
    ("rave", "k of RAVE; without it there is none"),
    ("policy-visits", "visits up to which the play-out policy selects"),
    ("look-ahead", "look for a move that wins at once before a node gets children"),
    ("expand-at", "visits after which a node gets children"),
    ("order", "the order in which moves are first tried"),
    ("solver", "prove wins, losses and draws"),
    ("final", "which move is played in the end"),
    ("secure", "A of the secure child, the highest v + A / sqrt(n)"),
    ("stop-early", "stop when the most visited move cannot be overtaken"),
    ("reuse", "keep the part of the tree that the moves played lead to"),
    ("memory", "megabytes for the tree"),
    ("threads", "threads of the search"),
    ("parallel", "what threads share: nothing but the root, or one tree"),
    ("virtual-loss", "losses assumed on the way of another thread"),
    ("max-plies", "plies after which a play-out is a draw"),
    // Nested search and minimax play-outs.
    ("level", "the nesting level"),
    ("discounting", "prefer short wins and long losses"),
    ("cow", "cut on win, up to this level"),
    ("pod", "prune on depth, up to this level"),
    ("nested-order", "the order of the moves in nested play-outs"),
    ("repeat", "play out again and again until a limit is reached"),
    ("depth", "plies that a play-out sees ahead"),
    // Play-outs with knowledge.
    ("strategy", "how a play-out chooses its moves"),
    ("threshold", "the evaluation at which a play-out is decided"),
    ("first-look", "the ply of the first look at the evaluation"),
    ("look-every", "plies between two looks at the evaluation"),
    ("min-weight", "the least weight of a move"),
    ("k", "moves that are evaluated, the likeliest first"),
    ("searched", "moves that the search of a play-out tries"),
    ("replies-searched", "replies that the search of a play-out tries"),
    ("looked-at", "moves that the search of a play-out looks at for wins"),
    ("replies-looked-at", "replies that the search of a play-out looks at for wins"),
    ("weights", "the weights of the evaluation, with slashes between"),
    ("noise", "points of the small random factor of the evaluation"),
    // Alpha-beta search.
    ("table", "megabytes for the transposition table"),
    ("lines", "moves of the root that get exact values"),
    ("multicut", "multi-cut forward pruning"),
    ("realisation", "reduce unlikely moves: realisation probability search"),
    ("etc", "enhanced transposition cut-offs"),
    ("null", "null-move forward pruning"),
    ("quiescence", "search captures beyond the last ply"),
    ("wins", "find moves that win at once without a search"),
    ("threats", "search a ply deeper where the other side threatens to win"),
    ("killers", "try moves first that were good in sister positions"),
    ("classes", "order moves by the classes that the game names"),
    ("history", "order moves by how often they were good"),
    ("cache", "remember what the men of one side are worth"),
    // Other programs.
    ("cmd", "the program and its arguments"),
    ("protocol", "what it speaks; uci for chess, ugi for other games"),
    ("timeout", "seconds it may take to answer, and to move beyond its limit"),
];
