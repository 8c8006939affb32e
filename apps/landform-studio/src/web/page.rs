//! What only the page can do: see `web/page.js`.

use wasm_bindgen::prelude::*;

#[wasm_bindgen(module = "/web/page.js")]
extern "C" {
    /// Gives bytes to the person as a file.
    pub(crate) fn download(name: &str, bytes: &[u8]);

    /// Puts a fragment behind the page's address and gives all of it.
    pub(crate) fn link_with(fragment: &str) -> String;

    /// Mirrors widgets in the page; `act` gets the id of one that is pressed there.
    pub(crate) fn mirror(widgets: &str, act: &js_sys::Function);

    /// Does work in a worker.
    pub(crate) type Evaluator;

    /// `tell` gets each message of the worker.
    #[wasm_bindgen(constructor)]
    pub(crate) fn new(tell: &js_sys::Function) -> Evaluator;

    /// Begins with other work. What was under way is given up.
    #[wasm_bindgen(method)]
    pub(crate) fn start(this: &Evaluator, message: &js_sys::Object);

    /// Gives up what is under way.
    #[wasm_bindgen(method)]
    pub(crate) fn stop(this: &Evaluator);

    /// Ends the worker.
    #[wasm_bindgen(method)]
    pub(crate) fn close(this: &Evaluator);
}
