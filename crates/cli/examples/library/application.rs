//! Which functions there are: those that the modules of `stdlib` export with a spec, as the installed VM has them.

use std::process::Command;

/// A module and its functions with a spec, as `name/arity`.
#[derive(Clone)]
pub struct Functions {
    pub module: String,
    pub names: Vec<String>,
    /// How many more it exports without a spec.
    pub unspecified: usize,
}

/// Prints a line per module: its name, how many exports have no spec, and those that have one.
const PROGRAM: &str = r#"
Added = [{module_info, 0}, {module_info, 1}, {behaviour_info, 1}],
Name = fun({_, F, A}) -> {F, A}; (FA) -> FA end,
Print = fun(Beam) ->
    {ok, {M, [{abstract_code, {_, Forms}}, {exports, All}]}} = beam_lib:chunks(Beam, [abstract_code, exports]),
    Specified = [Name(FA) || {attribute, _, spec, {FA, _}} <- Forms],
    Exported = All -- Added,
    With = [FA || FA <- Exported, lists:member(FA, Specified)],
    Names = [io_lib:format(" ~tw/~w", [F, A]) || {F, A} <- With],
    io:format("~tw ~w~ts~n", [M, length(Exported) - length(With), Names])
end,
lists:foreach(Print, lists:sort(filelib:wildcard(filename:join(code:lib_dir(stdlib), "ebin/*.beam")))),
halt().
"#;

/// All modules by name.
pub fn functions() -> Result<Vec<Functions>, String> {
    let output =
        Command::new("erl").args(["-noinput", "-eval", PROGRAM]).output().map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    String::from_utf8_lossy(&output.stdout).lines().map(read).collect()
}

fn read(line: &str) -> Result<Functions, String> {
    let mut words = line.split(' ').map(str::to_owned);
    let (module, count) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let unspecified = count.parse().map_err(|_| format!("not a line of functions: {line}"))?;
    Ok(Functions { module, names: words.collect(), unspecified })
}

/// Every so manyeth function of all modules; modules without any are left out.
pub fn sample(modules: Vec<Functions>, every: usize) -> Vec<Functions> {
    let mut at = 0;
    let mut taken = |module: Functions| {
        let names = module.names.into_iter().filter(|_| {
            at += 1;
            (at - 1) % every == 0
        });
        Functions { names: names.collect(), ..module }
    };
    modules.into_iter().map(&mut taken).filter(|module| !module.names.is_empty()).collect()
}
