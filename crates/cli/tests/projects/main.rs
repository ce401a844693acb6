//! Projects of rebar3, mix and others, made with the real tools: one command without options finds the right places.

mod elixir;
mod erlang;
mod made;
mod plain;
#[path = "../support/mod.rs"]
mod support;
mod tasks;
