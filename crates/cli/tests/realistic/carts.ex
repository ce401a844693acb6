# A shop in Elixir: carts, discounts, orders, stock.
#! total/1 bug error:_@total
#! discount/2 bug error:{case_clause,_}@discount
#! discount/2 declared error:_@bad_code
#! fetch!/2 declared error:_@fetch
#! price/2 bug error:{badkey,_,_}@price
#! average/1 bug error:badarith@average
#! ship/1 bug error:function_clause@ship
#! first/1 bug error:{badmatch,_}@first
#! label/1 doubtful error:_
defmodule Carts do
  @type item :: %{optional(:price) => integer(), :name => String.t(), :count => non_neg_integer()}

  @spec total([{atom(), integer() | nil}]) :: integer()
  def total(lines) do
    Enum.reduce(lines, 0, fn {_, price}, sum -> sum + price end) #@total
  end

  @spec discount(integer(), :none | :tenth | :half | :staff | :bad) :: integer()
  def discount(_, :bad), do: raise(ArgumentError, "no such code") #@bad_code

  def discount(price, code) do
    case code do #@discount
      :none -> price
      :tenth -> price - div(price, 10)
      :half -> div(price, 2)
    end
  end

  @spec fetch!(%{optional(:a) => integer()}, :a) :: integer()
  def fetch!(stock, key) do
    case stock do
      %{^key => count} -> count
      _ -> raise KeyError, key: key, term: stock #@fetch
    end
  end

  @spec price(item(), pos_integer()) :: integer()
  def price(item, count) do
    item.price * count #@price
  end

  @spec average([integer()]) :: integer()
  def average(prices) do
    div(Enum.sum(prices), length(prices)) #@average
  end

  @spec ship(:paid | :open | :cancelled) :: :sent | :waiting
  def ship(:paid), do: :sent #@ship
  def ship(:open), do: :waiting

  @spec first([item()]) :: item()
  def first(items) do
    [item | _] = items #@first
    item
  end

  @spec label(any()) :: String.t()
  def label(thing), do: "item " <> to_string(thing)
end
