defmodule MixHound.MixProject do
  use Mix.Project

  def project do
    [
      app: :mix_hound,
      version: "0.1.0",
      elixir: "~> 1.12",
      description: "Runs hound on the project: the calls that crash a function, or the proof that there are none",
      package: [licenses: ["Apache-2.0"]]
    ]
  end

  def application, do: []
end
