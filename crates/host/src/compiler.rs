//! The VM that compiles: it knows the code of the installation alone, so that what it answers about one module cannot
//! depend on another that it was shown before.
//!
//! Source that needs code from elsewhere to be compiled (a parse transform, a debug backend) is compiled by a VM of its
//! own, which ends with that.

use std::path::PathBuf;

use crate::embedded::Embedded;
use crate::error::HostError;
use crate::launch::Launch;
use crate::vm::Vm;
use crate::wall::Reads;

/// The compiling VM, started when it is first needed.
pub(crate) struct Compiler {
    plain: Launch,
    foreign: Launch,
    vm: Option<Vm>,
}

impl Compiler {
    /// A compiler that may also use the code in these folders, in VMs apart.
    pub fn new(embedded: &Embedded, elixir: &[PathBuf], paths: &[PathBuf]) -> Compiler {
        let plain = Launch::of_installation(embedded, elixir);
        Compiler { foreign: plain.clone().with_paths(paths), plain, vm: None }
    }

    /// Asks the VM that knows the installation alone. It can read what the request needs.
    pub fn ask(&mut self, request: &[u8], reads: &Reads, millis: u64) -> Result<Vec<u8>, HostError> {
        let vm = match &mut self.vm {
            Some(vm) => {
                if !vm.launch().reads.covers(reads) {
                    let mut wider = vm.launch().clone();
                    wider.reads.extend(reads);
                    vm.relaunch(wider)?;
                }
                vm
            }
            none => {
                let mut launch = self.plain.clone();
                launch.reads.extend(reads);
                none.insert(Vm::start(launch)?)
            }
        };
        vm.ready()?;
        vm.ask(request, millis)
    }

    /// Asks a new VM that may run the user's code.
    pub fn ask_apart(&self, request: &[u8], reads: &Reads, millis: u64) -> Result<Vec<u8>, HostError> {
        let mut launch = self.foreign.clone();
        launch.reads.extend(reads);
        let mut vm = Vm::start(launch)?;
        vm.ready()?;
        vm.ask(request, millis)
    }
}
