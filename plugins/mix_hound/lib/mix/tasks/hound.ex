defmodule Mix.Tasks.Hound do
  @shortdoc "Finds the calls that crash the project's functions"

  @moduledoc """
  Compiles the project and runs `hound` on it, with the words and options given.

      mix hound
      mix hound --runs 500 Shop.total/1
      mix hound reach lib/shop.ex:12

  The command is `hound` in `PATH`, or the one that the variable `HOUND` names. The first word may be one of its
  commands (explore, reach, baseline, run); without one it explores. The task ends with its exit code.
  """

  use Mix.Task

  @commands ~w(explore reach baseline run instrument doctor)

  @impl true
  def run(args) do
    Mix.Task.run("compile")
    {_, code} = System.cmd(command(), with_command(args), env: environment(), into: IO.stream(:stdio, 1))
    if code != 0, do: exit({:shutdown, code})
  end

  defp command do
    name = System.get_env("HOUND") || "hound"

    System.find_executable(name) ||
      Mix.raise("there is no command #{name}: install Tracehound, or name its program in the variable HOUND")
  end

  defp with_command([first | _] = args) when first in @commands, do: args
  defp with_command(args), do: ["explore" | args]

  # Where this run of mix has put what it compiled.
  defp environment do
    [{"MIX_ENV", to_string(Mix.env())}, {"MIX_BUILD_PATH", Mix.Project.build_path()}]
  end
end
