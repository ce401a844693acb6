//! The code that the sources of a command stand for: files, what is in folders, and the projects around them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use host::ErlOptions;

use crate::Failure;
use crate::library::{ModuleFile, SourcePath, compiled, files, included, modules_in};
use crate::project::{BuiltProject, Places, Project, ProjectModule, compiled_scripts, source_of};

/// The code of a command, before a VM is started.
#[derive(Default)]
pub(crate) struct Gathered {
    /// The projects around the sources.
    pub projects: Vec<BuiltProject>,
    /// The modules of the files given.
    pub files: Vec<ModuleFile>,
    /// The modules in the folders given.
    pub in_folders: Vec<ModuleFile>,
    /// Folders of compiled modules.
    pub paths: Vec<PathBuf>,
    /// Folders in which modules are looked for that are not on the code path.
    pub folders: BTreeSet<PathBuf>,
    pub places: Places,
    from_sources: bool,
}

/// Whether a project is built whose output is missing or old.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Building {
    /// Without that nothing can be explored.
    Wanted,
    /// What is asked for may do without.
    Tried,
    /// It is about compiled code that is there.
    Never,
}

impl Gathered {
    /// Finds what the sources stand for; projects are built where that is needed.
    ///
    /// With `from_sources`, files of Erlang source are compiled anew although their project has compiled them.
    pub fn new(sources: &[SourcePath], from_sources: bool) -> Result<Gathered, Failure> {
        let mut gathered = Gathered { places: Places::new(None), from_sources, ..Gathered::default() };
        if sources.is_empty() {
            gathered.add_project(Path::new("."), Building::Tried)?;
        }
        for source in sources {
            let building = match source {
                SourcePath::File(path) => match path.extension().and_then(|ending| ending.to_str()) {
                    Some("ex") => Building::Wanted,
                    Some("erl") => Building::Tried,
                    _ => Building::Never,
                },
                SourcePath::Folder(_) | SourcePath::Here => Building::Wanted,
            };
            gathered.add_project(&source.around(), building)?;
        }
        sources.iter().try_for_each(|source| gathered.add(source))?;
        let built = gathered.projects.iter().flat_map(|built| built.code_path.clone());
        gathered.paths.extend(built);
        let mut seen = BTreeSet::new();
        gathered.paths.retain(|path| seen.insert(path.clone()));
        Ok(gathered)
    }

    /// Adds the project around a folder, if there is one.
    fn add_project(&mut self, folder: &Path, building: Building) -> Result<(), Failure> {
        let Some(project) = Project::around(folder) else { return Ok(()) };
        if self.projects.iter().any(|known| known.project.root == project.root) {
            return Ok(());
        }
        let built = match building {
            Building::Wanted if !is_output(&project, folder) => BuiltProject::new(project)?,
            Building::Tried => BuiltProject::tried(project),
            Building::Wanted | Building::Never => BuiltProject::as_it_is(project),
        };
        self.places.join(&built.places);
        self.folders.extend(built.project.applications.iter().flat_map(|own| own.sources.clone()));
        self.folders.extend(built.modules.iter().filter_map(|it| it.file.parent()).map(Path::to_path_buf));
        self.projects.push(built);
        Ok(())
    }

    fn add(&mut self, source: &SourcePath) -> Result<(), Failure> {
        match source {
            SourcePath::File(path) => self.add_file(path),
            SourcePath::Folder(path) => self.add_folder(source, path),
            SourcePath::Here => self.add_here(source),
        }
    }

    fn add_file(&mut self, path: &Path) -> Result<(), Failure> {
        self.folders.insert(path.parent().unwrap_or(Path::new("")).to_path_buf());
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        let is_compiled = ending == "ex" || (ending == "erl" && !self.from_sources);
        let own = if is_compiled { self.made_from(path) } else { Vec::new() };
        match own.is_empty() {
            false => self.files.extend(own),
            true if ending == "ex" => self.add_script(path)?,
            true => self.files.push(path.to_path_buf().into()),
        }
        Ok(())
    }

    /// The compiled modules of projects that were made from a source.
    fn made_from(&self, path: &Path) -> Vec<ModuleFile> {
        let Ok(path) = fs::canonicalize(path) else { return Vec::new() };
        let own = self.modules().filter(|module| module.source.as_ref() == Some(&path) && module.file != path);
        own.map(file_of).collect()
    }

    fn modules(&self) -> impl Iterator<Item = &ProjectModule> {
        self.projects.iter().flat_map(|built| &built.modules)
    }

    /// Elixir sources outside of projects are compiled with those beside them.
    fn add_script(&mut self, path: &Path) -> Result<(), Failure> {
        let output = compiled_scripts(path)?;
        let whole = fs::canonicalize(path).ok();
        let found: Vec<ModuleFile> = compiled_into(&output).filter(|module| module.source == whole).collect();
        if found.is_empty() {
            return Err(Failure::Unusable(format!("{}: it defines no module", path.display())));
        }
        self.files.extend(found);
        self.add_output(output, path.parent());
        Ok(())
    }

    /// Adds the folder of what was compiled from the sources in another.
    fn add_output(&mut self, output: PathBuf, sources: Option<&Path>) {
        let sources = sources.filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let sources = fs::canonicalize(sources).unwrap_or_default();
        self.places = std::mem::take(&mut self.places).with_root(&sources);
        self.paths.push(output.clone());
        self.folders.insert(output);
    }

    fn add_folder(&mut self, source: &SourcePath, path: &Path) -> Result<(), Failure> {
        self.folders.insert(path.to_path_buf());
        let own = self.below(path);
        if !own.is_empty() {
            self.in_folders.extend(own);
            return Ok(());
        }
        self.paths.extend(compiled(path));
        let found = modules_in(source);
        let scripts = files(path, "ex");
        if let (true, Some(script)) = (found.is_empty(), scripts.first()) {
            let output = compiled_scripts(script)?;
            self.in_folders.extend(compiled_into(&output));
            self.add_output(output, Some(path));
        }
        self.in_folders.extend(found.into_iter().map(ModuleFile::from));
        Ok(())
    }

    /// The modules of projects whose sources, or whose applications, are below a folder.
    fn below(&self, path: &Path) -> Vec<ModuleFile> {
        let Ok(path) = fs::canonicalize(path) else { return Vec::new() };
        let is_below = |module: &&ProjectModule| {
            module.application.starts_with(&path)
                || module.source.as_ref().is_some_and(|source| source.starts_with(&path))
        };
        self.modules().filter(is_below).filter(|module| !module.is_generated()).map(file_of).collect()
    }

    /// The application around the current folder, or all that are below it; without a project, the folder itself.
    fn add_here(&mut self, source: &SourcePath) -> Result<(), Failure> {
        let Some(built) = self.projects.first() else {
            self.folders.insert(source.path().to_path_buf());
            let sources = files(source.path(), "erl");
            if sources.is_empty() && files(source.path(), "ex").is_empty() {
                self.paths.extend(compiled(source.path()).into_iter().filter(|folder| folder == source.path()));
                self.in_folders.extend(files(source.path(), "beam").into_iter().map(ModuleFile::from));
            } else if sources.is_empty() {
                self.add_folder(source, source.path())?;
            }
            self.in_folders.extend(sources.into_iter().map(ModuleFile::from));
            self.in_folders.sort_by(|a, b| a.file.cmp(&b.file));
            return if self.in_folders.is_empty() { Err(nothing_here()) } else { Ok(()) };
        };
        let wanted: Vec<&Path> =
            built.project.applications_at(Path::new(".")).iter().map(|own| own.folder.as_path()).collect();
        let own = built.modules.iter().filter(|module| wanted.contains(&module.application.as_path()));
        let own: Vec<ModuleFile> = own.filter(|module| !module.is_generated()).map(file_of).collect();
        self.in_folders.extend(own);
        Ok(())
    }

    /// Returns the options that Erlang sources are compiled with: those given, and those of projects.
    pub fn erlang(&self, given: ErlOptions) -> ErlOptions {
        let mut erlang = given;
        for built in &self.projects {
            let ErlOptions { macros, others, .. } = built.project.erlang.clone();
            let is_new = |(name, _): &(String, _)| !erlang.macros.iter().any(|(known, _)| known == name);
            let macros: Vec<_> = macros.into_iter().filter(is_new).collect();
            erlang.include_dirs.extend(built.include_dirs());
            erlang.macros.extend(macros);
            erlang.others.extend(others);
        }
        erlang.include_dirs.extend(self.folders.iter().flat_map(|folder| included(folder)));
        erlang
    }
}

/// The modules in a folder of what was compiled, with their sources.
fn compiled_into(output: &Path) -> impl Iterator<Item = ModuleFile> + use<> {
    let beams = modules_in(&SourcePath::Folder(output.to_path_buf()));
    beams.into_iter().map(|file| ModuleFile { source: source_of(&file).and_then(|it| fs::canonicalize(it).ok()), file })
}

fn file_of(module: &ProjectModule) -> ModuleFile {
    ModuleFile { file: module.file.clone(), source: module.source.clone() }
}

/// True for a folder of compiled code in a project.
fn is_output(project: &Project, folder: &Path) -> bool {
    let Ok(folder) = fs::canonicalize(folder) else { return false };
    let is_part = |own: &Path| own.starts_with(&folder);
    !project
        .applications
        .iter()
        .any(|own| is_part(&own.folder) || own.sources.iter().any(|it| is_part(it) || folder.starts_with(it)))
}

fn nothing_here() -> Failure {
    Failure::Unusable(
        "there is neither a project nor code in the current folder: go to one, or name a file, a folder or a module, such as \
         `hound explore src/shop.erl`"
            .to_owned(),
    )
}
