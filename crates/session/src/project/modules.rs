//! The modules of a project's own applications: compiled ones with their sources, and sources that have no compiled form.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use host::compiled_from;

use super::{Application, BuildTool, Places, Project, files_below};

/// A module of a project.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ProjectModule {
    /// The compiled module, or else the source.
    pub file: PathBuf,
    /// The place of the source in the user's project, if it is known.
    pub source: Option<PathBuf>,
    /// The folder of its application.
    pub application: PathBuf,
}

impl ProjectModule {
    /// True if leex or yecc made its source.
    pub fn is_generated(&self) -> bool {
        let is_grammar =
            |ending: &str| self.source.as_ref().is_some_and(|source| source.with_extension(ending).is_file());
        is_grammar("xrl") || is_grammar("yrl")
    }
}

/// Returns the source that a compiled module was made from, as its compiler has recorded it.
pub(crate) fn source_of(beam: &Path) -> Option<PathBuf> {
    compiled_from(&fs::read(beam).ok()?)
}

/// Returns the modules of the project's own applications, whose compiled code is in `ebins`.
pub(super) fn modules(project: &Project, ebins: &[PathBuf], places: &Places) -> Vec<ProjectModule> {
    let each = project.applications.iter().zip(ebins);
    each.flat_map(|(own, ebin)| match project.tool {
        BuildTool::ErlangMk | BuildTool::Plain => from_sources(own, ebin, places),
        _ => compiled(project, own, ebin, places),
    })
    .collect()
}

/// Compiled modules, but for those whose source in the project is gone.
fn compiled(project: &Project, own: &Application, ebin: &Path, places: &Places) -> Vec<ProjectModule> {
    let beams = files_below(ebin, &["beam"]);
    let each = beams.into_iter().filter_map(|beam| {
        let source = source_of(&beam).map(|source| places.real(&source));
        let is_gone = source.as_ref().is_some_and(|it| it.starts_with(&project.root) && !it.exists());
        let source = source.filter(|source| source.is_file());
        (!is_gone).then(|| ProjectModule { file: beam, source, application: own.folder.clone() })
    });
    each.collect()
}

/// The compiled module of each source if it is not older, or else the source.
fn from_sources(own: &Application, ebin: &Path, places: &Places) -> Vec<ProjectModule> {
    let headers = [own.sources.clone(), vec![own.folder.join("include")]].concat();
    let header = newest(&headers.iter().flat_map(|folder| files_below(folder, &["hrl"])).collect::<Vec<_>>());
    let mut seen = BTreeSet::new();
    let sources = own.sources.iter().map(|folder| places.built(folder)).flat_map(|it| files_below(&it, &["erl"]));
    let sources = sources.filter(|source| seen.insert(source.clone()));
    sources
        .map(|built| {
            let source = places.real(&built);
            let beam = ebin.join(built.with_extension("beam").file_name().unwrap_or_default());
            let wanted = header.max(changed(&built));
            let file = if changed(&beam).is_some_and(|at| Some(at) >= wanted) { beam } else { source.clone() };
            ProjectModule { file, source: Some(source), application: own.folder.clone() }
        })
        .collect()
}

/// The time when a file was changed.
pub(super) fn changed(file: &Path) -> Option<SystemTime> {
    fs::metadata(file).ok()?.modified().ok()
}

/// The latest of the times when files were changed.
pub(super) fn newest(files: &[PathBuf]) -> Option<SystemTime> {
    files.iter().filter_map(|file| changed(file)).max()
}
