# Paths and settings in Elixir: keyword lists, nested values, text.
#! split/1 bug error:{badmatch,_}@split
#! port/1 bug error:_@port
#! port/1 declared error:_@bad_port
#! get/2 bug error:{badmap,_}@get
#! level/1 bug error:{with_clause,_}@level
#! verbosity/1 bug error:cond_clause@verbosity
#! join/1 doubtful error:_
defmodule Paths do
  @spec split(String.t()) :: {String.t(), String.t()}
  def split(text) do
    [name, value] = :binary.split(text, "=") #@split
    {name, value}
  end

  @spec port([{:port, integer()}] | integer()) :: 0..65535
  def port(options) when is_list(options) do
    [{:port, port} | _] = options #@port
    port(port)
  end

  def port(port) when port in 0..65535, do: port
  def port(port), do: raise(ArgumentError, "port #{port}") #@bad_port

  @type settings :: integer() | %{optional(:a) => settings()}
  @spec get([:a], settings()) :: settings() | nil
  def get([], settings), do: settings

  def get([key | path], settings) do
    case :maps.find(key, settings) do #@get
      {:ok, inner} -> get(path, inner)
      :error -> nil
    end
  end

  @spec level(:debug | :info | :error) :: 0..2
  def level(name) do
    with :debug <- name do #@level
      0
    else
      :info -> 1
    end
  end

  @spec verbosity(integer()) :: :quiet | :loud
  def verbosity(n) do
    cond do
      n < 0 -> :quiet
      n > 0 -> :loud #@verbosity
    end
  end

  @spec join([any()]) :: binary()
  def join(parts), do: :erlang.iolist_to_binary(parts)
end
