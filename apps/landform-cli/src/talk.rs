//! What is said on standard error. Nobody may be listening: a full disk or a closed pipe there is no reason to lose the work.

use std::fmt::Display;
use std::io::Write as _;
use std::sync::{Mutex, PoisonError};

/// What was warned of: a report tells it too. There is one command a process.
static WARNINGS: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Says a line.
pub(crate) fn say(text: impl Display) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// Says a warning unless `is_quiet`, and notes it for the report.
pub(crate) fn warn(is_quiet: bool, text: impl Display) {
    let text = text.to_string();
    if !is_quiet {
        say(format_args!("warning: {text}"));
    }
    note(text);
}

/// Notes a warning for the report.
pub(crate) fn note(warning: String) {
    WARNINGS.lock().unwrap_or_else(PoisonError::into_inner).push(warning);
}

/// All that was warned of.
pub(crate) fn warnings() -> Vec<String> {
    WARNINGS.lock().unwrap_or_else(PoisonError::into_inner).clone()
}
