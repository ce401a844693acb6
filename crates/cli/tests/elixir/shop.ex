# A module of every construct whose findings have to be Elixir, at the right lines: `#!` marks the lines that have one.
defmodule Shop.Item do
  @enforce_keys [:name]
  defstruct [:name, price: 0]
  @type t :: %__MODULE__{name: String.t(), price: integer()}
end

defmodule Shop.SoldOut do
  defexception [:item]
  @impl true
  def message(%{item: item}), do: "sold out: #{inspect(item)}"
end

defprotocol Shop.Priced do
  @spec price(t) :: integer()
  def price(it)
end

defimpl Shop.Priced, for: Shop.Item do
  def price(%Shop.Item{price: price}), do: div(100, price) #! ArithmeticError
end

defmodule Shop.Checks do
  defmacro positive!(value) do
    quote do
      if unquote(value) <= 0, do: raise(ArgumentError, "not positive"), else: unquote(value)
    end
  end
end

defmodule Shop do
  require Shop.Checks
  alias Shop.Item

  @spec parse(String.t()) :: integer()
  def parse("a"), do: 1 #! FunctionClauseError
  def parse("b" <> rest), do: byte_size(rest)

  @spec total([Item.t()]) :: integer()
  def total(items) do
    Enum.reduce(items, 0, fn
      %Item{price: 7}, sum -> div(10, sum - sum) #! ArithmeticError
      %Item{price: price}, sum -> sum + price
    end)
  end

  @spec greet(String.t(), [lang: :en | :de | :fr]) :: String.t()
  def greet(name, options \\ []) do
    case Keyword.get(options, :lang, :en) do #! CaseClauseError
      :en -> "Hello " <> name
      :de -> "Hallo " <> name
    end
  end

  @spec checkout(%{optional(:user) => String.t(), optional(:cart) => [integer()]}) :: {:ok, integer()} | :error
  def checkout(order) do #! contract
    with {:ok, user} <- Map.fetch(order, :user),
         [first | _] <- Map.fetch!(order, :cart) do #! KeyError
      {:ok, first + byte_size(user)}
    end
  end

  @spec order(%{optional(atom()) => integer(), amount: integer()}) :: integer()
  def order(order) do
    with n when n > 3 <- order.amount do #! WithClauseError
      n
    else
      0 -> 0
    end
  end

  @spec buy(Item.t() | nil) :: Item.t()
  def buy(nil), do: %Item{name: "none"}
  def buy(%Item{price: 13} = item), do: raise(Shop.SoldOut, item: item) #! Shop.SoldOut
  def buy(item), do: %{item | price: item.price + 1}

  @spec kind(:a | :b | nil) :: atom()
  def kind(nil), do: throw({:none, ~c"text", nil}) #! throw
  def kind(kind), do: kind

  @spec level(integer()) :: 1..3
  def level(n) when n > 10, do: n #! contract
  def level(0), do: exit(:low) #! exit
  def level(_), do: 3

  @spec pick([{atom(), integer()}]) :: integer()
  def pick([{_, n} | _]) when n >= 0, do: n #! FunctionClauseError
  def pick([]), do: 0

  @spec apply_to(integer(), (integer() -> integer())) :: integer()
  def apply_to(n, fun) do
    10 = fun.(n) #! MatchError
    n
  end

  @spec bits(bitstring()) :: integer()
  def bits(<<1::3, _::bitstring>>), do: :erlang.error({:odd, <<1::3>>, 1.5}) #! ErlangError
  def bits(_), do: 0

  @spec count(integer()) :: integer()
  def count(n), do: Shop.Checks.positive!(n) #! ArgumentError

  @spec ask(%{optional(String.t()) => integer()}) :: integer()
  def ask(map) do
    %{"key" => value} = map #! MatchError
    value
  end
end

defmodule Shop.Server do
  use GenServer

  @impl true
  def init(n), do: {:ok, n}

  @impl true
  def handle_call(:next, _from, 3), do: {:reply, 1 / 0, 3} #! ArithmeticError
  def handle_call(:next, _from, n) when is_integer(n), do: {:reply, n, n + 1}
end
