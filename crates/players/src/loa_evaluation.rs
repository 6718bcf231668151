//! What the players of LOA evaluate positions by: the nine features of MIA, or a network.

use std::fmt::Display;
use std::fs;
use std::sync::Arc;

use spinney_games::loa::knowledge::network::{LoaNetwork, features, shipped};

use crate::options::{self, Declared, Named};

/// The choice of an evaluation.
#[derive(Clone, Default)]
pub(crate) struct Source {
    by: By,
    /// The file of the network.
    network: String,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum By {
    #[default]
    Features,
    Network,
}

/// The options of the choice.
pub(crate) fn declare() -> Vec<Declared<Source>> {
    const NAMES: &[Named<By>] = &[("features", By::Features), ("network", By::Network)];
    vec![
        options::choice("evaluation", NAMES, |source: &mut Source| &mut source.by)
            .help("what positions are evaluated by"),
        options::path("network", |source: &mut Source| &mut source.network)
            .help("file of a network, in place of the one built in")
            .needs("evaluation", &["network"]),
    ]
}

impl Source {
    /// The network that is built in.
    pub(crate) fn built_in() -> Self {
        Source { by: By::Network, network: String::new() }
    }

    /// The network, if one was asked for.
    pub(crate) fn network<const N: usize>(&self) -> Result<Option<Arc<LoaNetwork>>, String> {
        if self.by == By::Features {
            return Ok(None);
        }
        let read = |bytes: &[u8]| LoaNetwork::from_bytes(bytes, features::<N>()).map(Arc::new);
        if self.network.is_empty() {
            return read(shipped::<N>()).map(Some).map_err(|error| error.to_string());
        }
        let named = |error: &dyn Display| format!("network={}: {error}", self.network);
        let bytes = fs::read(&self.network).map_err(|error| named(&error))?;
        read(&bytes).map(Some).map_err(|error| named(&error))
    }
}
