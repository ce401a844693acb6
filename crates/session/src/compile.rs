//! Instrumented modules for the VM.

use frontend::flat::{self, Style};
use host::Host;

/// Compiles a module that tells its events; an error is the compiler's messages.
pub fn compile(host: &mut Host, module: &flat::Module) -> Result<Vec<u8>, String> {
    let text = flat::print(module, Style::default());
    host.compile_core(&text, &[])
}
