# Shapes behind a protocol, with structs that implement it.
#! area/1 bug error:badarith@ratio
#! scale/2 bug error:function_clause@scale
#! sides/1 bug error:{badmatch,_}@sides
#! describe/1 doubtful error:_
#! colour/1 declared error:_@colour
#! grid/2 bug error:badarith@grid
defmodule Square do
  defstruct [:side]
end

defmodule Ring do
  defstruct [:inner, :outer]
end

defprotocol Measured do
  def area(shape)
end

defimpl Measured, for: Square do
  def area(%Square{side: side}), do: side * side
end

defimpl Measured, for: Ring do
  def area(%Ring{inner: inner, outer: outer}), do: div(100 * inner, outer) #@ratio
end

defmodule Shapes do
  @type square :: %Square{side: integer()}
  @type ring :: %Ring{inner: integer(), outer: integer()}

  @doc "The area of a square, or what the hole of a ring takes of it."
  @spec area(square() | ring()) :: integer()
  def area(shape), do: Measured.area(shape)

  @spec scale(square(), :double | :half | :same) :: square()
  def scale(square, :double), do: %{square | side: square.side * 2} #@scale
  def scale(square, :half), do: %{square | side: div(square.side, 2)}

  @spec sides([square()]) :: {integer(), integer()}
  def sides(squares) do
    [first, last] = for %Square{side: side} <- squares, do: side #@sides
    {first, last}
  end

  @doc "Whatever has a text."
  @spec describe(any()) :: binary()
  def describe(shape), do: "shape " <> to_string(shape)

  @spec colour(:red | :blue | :none) :: binary()
  def colour(:red), do: "#f00"
  def colour(:blue), do: "#00f"
  def colour(:none), do: raise(ArgumentError, "a shape without a colour") #@colour

  @doc "Squares in a row of a width."
  @spec grid(square(), non_neg_integer()) :: integer()
  def grid(%Square{side: side}, width), do: rem(width, side) #@grid
end
