// @ts-check
// A game with its variations: nodes that know their parent and children. Node 0 is the start.

/**
 * @typedef {object} TreeNode
 * @property {string | null} move
 * @property {string} label
 * @property {number | null} parent
 * @property {number[]} children the first is the main line
 * @property {string} [key] the number of the position after the move, once it is known
 * @property {string} comment
 * @property {number[]} nags judgements by their numbers in PGN
 * @property {number | null} value for the first side, from -1 to 1
 * @property {number} [loss] the winning chance that a review says the move lost
 * @property {boolean} [reviewed] whether its judgement and comment are those of a review
 * @property {number | null} by whose opinion the value is: the side of an engine that plays, or null for an analysis
 */

export class Tree {
  constructor() {
    /** @type {TreeNode[]} */
    this.nodes = [{ move: null, label: "", parent: null, children: [], comment: "", nags: [], value: null, by: null }];
    this.at = 0;
  }

  get node() {
    return this.nodes[this.at];
  }

  /** The numbers of the nodes from the first move to `index`. */
  path(index = this.at) {
    const path = [];
    for (let i = index; i !== 0 && i != null; i = this.nodes[i].parent) path.unshift(i);
    return path;
  }

  moves(index = this.at) {
    return this.path(index).map((i) => this.nodes[i].move);
  }

  /** The main line through the present node, to its end. */
  line() {
    const line = [0, ...this.path()];
    let last = this.at;
    while (this.nodes[last].children.length) {
      last = this.nodes[last].children[0];
      line.push(last);
    }
    return line;
  }

  /** The last node of the main line. */
  get end() {
    let last = 0;
    while (this.nodes[last].children.length) last = this.nodes[last].children[0];
    return last;
  }

  /** Plays a move after the present node: along a known line, or as a new one. */
  play({ move, label }) {
    const known = this.node.children.find((i) => this.nodes[i].move === move);
    this.at = known ?? this.add(this.at, { move, label });
    return this.at;
  }

  /** @returns {number} */
  add(parent, { move, label, comment = "", nags = [], value = null, by = null, loss = undefined, reviewed = undefined, key = undefined }) {
    this.nodes.push({ move, label, parent, children: [], comment, nags, value, by, loss, reviewed, key });
    const index = this.nodes.length - 1;
    this.nodes[parent].children.push(index);
    return index;
  }

  /** Takes the present move back, with all that follows it. */
  remove() {
    const gone = this.at;
    if (gone === 0) return;
    this.at = this.node.parent;
    this.node.children = this.node.children.filter((i) => i !== gone);
  }

  /** Makes the line to the present node the main line. */
  promote() {
    for (let at = this.at; at !== 0; at = this.nodes[at].parent) {
      const { children } = this.nodes[this.nodes[at].parent];
      children.splice(children.indexOf(at), 1);
      children.unshift(at);
    }
  }

  /** Whether the present node is on the main line. */
  get isMain() {
    return this.path().every((index) => this.nodes[this.nodes[index].parent].children[0] === index);
  }

  back() {
    if (this.at !== 0) this.at = this.node.parent;
  }

  forward() {
    if (this.node.children.length) this.at = this.node.children[0];
  }

  first() {
    this.at = 0;
  }

  last() {
    while (this.node.children.length) this.at = this.node.children[0];
  }

  /** The nodes as the API takes and saves them: parents first, removed ones left out. */
  record() {
    const nodes = [];
    const numbers = new Map([[0, null]]);
    const stack = [...this.nodes[0].children].reverse();
    while (stack.length) {
      const index = stack.pop();
      const { parent, children, ...node } = this.nodes[index];
      numbers.set(index, nodes.length);
      nodes.push({ ...node, parent: numbers.get(parent) });
      stack.push(...[...children].reverse());
    }
    return { nodes, at: numbers.get(this.at), key: this.nodes[0].key };
  }

  static from(nodes, at, key = undefined) {
    const tree = new Tree();
    tree.nodes[0].key = key;
    for (const node of nodes) tree.add(node.parent == null ? 0 : node.parent + 1, node);
    tree.at = at == null ? 0 : at + 1;
    return tree;
  }
}
