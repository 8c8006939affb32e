//! What went wrong, as Python exceptions with the text that the command line shows.

use pyo3::exceptions::{
    PyKeyboardInterrupt, PyMemoryError, PyOSError, PyRuntimeError, PyValueError,
};
use pyo3::prelude::*;

pyo3::create_exception!(
    landform,
    Error,
    PyValueError,
    "Something that was written or asked for cannot be used.\n\n\
     Its text names the place, the stage, the parameter, the value and what is allowed. `stage` (number and label), \
     `parameter`, `file`, `line` and `column` are None where it is about no certain one."
);

/// An exception about what the user wrote, with its place as attributes.
pub(crate) fn wrong(error: &landform::Error) -> PyErr {
    let raised = Error::new_err(error.to_string());
    let place = error.place.as_ref();
    // A place without a line is a whole file.
    let place_in = |number: fn(&landform::TextPosition) -> usize| {
        place.filter(|place| place.line > 0).map(number)
    };
    let set = Python::attach(|py| -> PyResult<()> {
        let value = raised.value(py);
        value.setattr("stage", error.stage.clone())?;
        value.setattr("parameter", error.parameter.clone())?;
        value.setattr("file", place.and_then(|place| place.file.clone()))?;
        value.setattr("line", place_in(|place| place.line))?;
        value.setattr("column", place_in(|place| place.column))
    });
    set.err().unwrap_or(raised)
}

/// An exception with a text alone.
pub(crate) fn misuse(text: impl Into<String>) -> PyErr {
    wrong(&landform::Error::new(text))
}

/// An exception for a job that could not be done.
pub(crate) fn failed(error: &landform_project::Error) -> PyErr {
    use landform_io::Error as FileError;
    use landform_project::Error as Failure;
    match error {
        Failure::Text(error) => wrong(error),
        Failure::Cancelled => cancelled(),
        Failure::Memory { .. } => PyMemoryError::new_err(error.to_string()),
        Failure::Read { .. }
        | Failure::Folder { .. }
        | Failure::Write { cause: FileError::Io(_), .. }
        | Failure::File(FileError::Io(_) | FileError::Write { .. }) => {
            PyOSError::new_err(error.to_string())
        }
        _ => misuse(error.to_string()),
    }
}

/// An exception for work that was stopped.
pub(crate) fn cancelled() -> PyErr {
    PyKeyboardInterrupt::new_err("cancelled")
}

/// An exception for a mistake of ours.
pub(crate) fn bug(panic: &(dyn std::any::Any + Send)) -> PyErr {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("unknown");
    PyRuntimeError::new_err(format!("landform has a mistake, please report it: {text}"))
}
