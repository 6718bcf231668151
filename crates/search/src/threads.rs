//! Work on several threads.

/// What a thread does.
pub(crate) type Job<'a> = Box<dyn FnOnce() + Send + 'a>;

/// Does the jobs, each in a thread of its own, beside the work of this one; returns when all is done.
pub(crate) fn beside(jobs: Vec<Job<'_>>, work: &mut dyn FnMut()) {
    if jobs.is_empty() {
        return work();
    }
    std::thread::scope(|scope| {
        for job in jobs {
            scope.spawn(job);
        }
        work();
    });
}
