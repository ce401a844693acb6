# Tasks, agents and servers of Elixir, whose outcome no schedule changes.
defmodule Tasks do
  defmodule Counter do
    use GenServer
    def start_link(n), do: GenServer.start_link(__MODULE__, n)
    def init(n), do: {:ok, n}
    def handle_call({:add, k}, _from, n), do: {:reply, n + k, n + k}
    def handle_cast({:add, k}, n), do: {:noreply, n + k}
    def handle_info({:add, k}, n), do: {:noreply, n - k}
  end

  def task(x), do: Task.await(Task.async(fn -> x * 2 end))
  def tasks(l), do: l |> Enum.map(fn x -> Task.async(fn -> x * x end) end) |> Enum.map(&Task.await/1)
  def agent(l) do
    {:ok, a} = Agent.start_link(fn -> [] end)
    Enum.each(l, fn x -> Agent.update(a, &[x | &1]) end)
    v = Agent.get_and_update(a, fn s -> {s, []} end)
    w = Agent.get(a, & &1)
    Agent.stop(a)
    {v, w, Process.alive?(a)}
  end
  def server(n) do
    {:ok, p} = Counter.start_link(n)
    a = GenServer.call(p, {:add, 1})
    GenServer.cast(p, {:add, 10})
    send(p, {:add, 3})
    b = GenServer.call(p, {:add, 0})
    GenServer.stop(p)
    {a, b}
  end
  def yield() do
    t = Task.async(fn -> receive do :never -> :ok end end)
    {Task.yield(t, 10), Task.shutdown(t, :brutal_kill)}
  end
  def stream(l), do: l |> Task.async_stream(fn x -> x + 1 end, max_concurrency: 2) |> Enum.to_list()
  def all(), do: [task(4), tasks([1, 2, 3]), agent([:a, :b]), server(5), yield(), stream([1, 2, 3])]
end
