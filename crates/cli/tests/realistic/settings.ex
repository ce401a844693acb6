# Settings from keywords and environment texts, with defaults.
#! port/1 bug error:badarg@port
#! level/1 bug error:_@level
#! merge/2 bug error:{badkey,_,_}@merge
#! fetch!/2 declared error:_@fetch
#! pool/1 bug error:badarith@pool
#! flag/1 bug error:function_clause@flag
#! inspect_all/1 doubtful error:_
defmodule Settings do
  @type settings :: %{optional(:timeout) => integer(), :retries => non_neg_integer()}

  @spec port(binary() | nil) :: 0..65535
  def port(nil), do: 4000
  def port(text), do: min(65535, abs(:erlang.binary_to_integer(text))) #@port

  @levels %{debug: 0, info: 1, warning: 2}

  @spec level(:debug | :info | :warning | :error) :: integer()
  def level(name), do: Map.fetch!(@levels, name) #@level

  @spec merge(settings(), settings()) :: settings()
  def merge(base, extra) do
    %{base | retries: extra.retries} |> Map.put(:timeout, extra.timeout) #@merge
  end

  @spec fetch!(settings(), :timeout) :: integer()
  def fetch!(settings, key) do
    case settings do
      %{^key => value} -> value
      _ -> raise KeyError, key: key, term: settings #@fetch
    end
  end

  @doc "Connections for each worker."
  @spec pool({connections :: non_neg_integer(), workers :: non_neg_integer()}) :: non_neg_integer()
  def pool({connections, workers}), do: div(connections, workers) #@pool

  @spec flag(binary()) :: boolean()
  def flag("true"), do: true #@flag
  def flag("false"), do: false
  def flag(""), do: false

  @spec inspect_all([any()]) :: [binary()]
  def inspect_all(values), do: Enum.map(values, &("value " <> to_string(&1)))
end
