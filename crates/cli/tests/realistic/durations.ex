# Lengths of time as structs: parsing with `with`, adding, printing.
#! parse/1 bug error:badarg@number
#! parse!/1 declared error:_
#! ratio/2 bug error:badarith@ratio
#! unit/1 bug error:{case_clause,_}@unit
#! shorten/2 bug error:{with_clause,_}@step
#! longest/1 bug error:_
defmodule Durations do
  defstruct seconds: 0, unit: :second

  @type t :: %Durations{seconds: integer(), unit: :second | :minute | :hour}

  @doc "`90s` or `2m`."
  @spec parse(binary()) :: {:ok, t()} | :error
  def parse(text) do
    with size when size > 1 <- byte_size(text),
         {:ok, unit} <- suffix(:binary.last(text)) do
      number = :erlang.binary_to_integer(:binary.part(text, 0, size - 1)) #@number
      {:ok, %Durations{seconds: number * seconds(unit), unit: unit}}
    else
      _ -> :error
    end
  end

  defp suffix(?s), do: {:ok, :second}
  defp suffix(?m), do: {:ok, :minute}
  defp suffix(_), do: :error

  defp seconds(:second), do: 1
  defp seconds(:minute), do: 60

  @spec parse!(binary()) :: t()
  def parse!(text) when byte_size(text) < 2, do: raise(ArgumentError, "too short")
  def parse!(_), do: %Durations{}

  @spec ratio(t(), t()) :: float()
  def ratio(%Durations{seconds: a}, %Durations{seconds: b}) do
    a / b #@ratio
  end

  @spec unit(t()) :: binary()
  def unit(%Durations{unit: unit}) do
    case unit do #@unit
      :second -> "s"
      :minute -> "m"
    end
  end

  @doc "Takes steps off until one is longer than what is left."
  @spec shorten(t(), [integer()]) :: t()
  def shorten(duration, steps) do
    with [step | rest] <- steps, #@step
         left when left >= 0 <- duration.seconds - step do
      shorten(%{duration | seconds: left}, rest)
    else
      [] -> duration
    end
  end

  @spec longest([t()]) :: t()
  def longest(durations) do
    Enum.max_by(durations, & &1.seconds)
  end
end
