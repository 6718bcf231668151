//! Files of experiments.

#![no_main]

use std::collections::BTreeMap;

use libfuzzer_sys::fuzz_target;
use spinney_arena::experiment::Experiment;
use spinney_fuzz::{REGISTRY, text};

fuzz_target!(|bytes: &[u8]| {
    let Ok(experiment) = Experiment::with_inputs("file", &text(bytes), BTreeMap::new()) else {
        return;
    };
    experiment.publication();
    for scale in experiment.scale.keys() {
        if let Ok(plan) = experiment.plan("file", scale) {
            plan.units();
            let _ = plan.check(&REGISTRY);
        }
    }
});
