//! What the players of LOA evaluate positions by: the nine features of MIA, or a network.

use std::fs;
use std::sync::Arc;

use spinney_games::loa::knowledge::network::{LoaNetwork, features};

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
            .help("file of the network, as `spinney learn network` writes it")
            .needs("evaluation", &["network"]),
    ]
}

impl Source {
    /// The network, if one was asked for.
    pub(crate) fn network<const N: usize>(&self) -> Result<Option<Arc<LoaNetwork>>, String> {
        if self.by == By::Features {
            return Ok(None);
        }
        let path = &self.network;
        if path.is_empty() {
            return Err("evaluation: needs network=FILE".to_owned());
        }
        let bytes = fs::read(path).map_err(|error| format!("network={path}: {error}"))?;
        let network = LoaNetwork::from_bytes(&bytes, features::<N>());
        network.map(|network| Some(Arc::new(network))).map_err(|e| format!("network={path}: {e}"))
    }
}
