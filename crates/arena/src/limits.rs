//! Limits as text, for records.

use spinney_search::Limits;

/// The limits as `time=1s,nodes=5000`, in the form the command line reads.
pub fn limits_text(limits: &Limits) -> String {
    let parts = [
        limits.time.map(|time| format!("time={time:?}")),
        limits.simulations.map(|simulations| format!("simulations={simulations}")),
        limits.nodes.map(|nodes| format!("nodes={nodes}")),
        limits.depth.map(|depth| format!("depth={depth}")),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(",")
}
