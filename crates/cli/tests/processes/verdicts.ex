# Programs with a defect, and twins without: the comment before each spec has the verdict. What is incomplete asks for settings
# that another run may have otherwise.
defmodule Verdicts do
  require Logger

  # crash
  @spec task(integer()) :: integer()
  def task(x), do: Task.await(Task.async(fn -> div(100, x - 42) end))
  # safe
  @spec task_ok(integer()) :: integer()
  def task_ok(x), do: Task.await(Task.async(fn -> div(100, abs(x) + 1) end))

  # crash
  @spec many(integer(), integer()) :: :ok
  def many(a, b) do
    [x, y] = Task.await_many([Task.async(fn -> a * 2 end), Task.async(fn -> b + 1 end)])
    if x == 20 and y == 5, do: raise("both")
    :ok
  end
  # safe
  @spec many_ok(integer(), integer()) :: :ok
  def many_ok(a, b) do
    [x, y] = Task.await_many([Task.async(fn -> a * 2 end), Task.async(fn -> b + 1 end)])
    if x == 21 and y == 5, do: raise("both")
    :ok
  end

  # crash
  @spec stream({integer(), integer()}) :: [integer()]
  def stream({a, b}), do: [a, b] |> Task.async_stream(fn x -> div(10, x) end, max_concurrency: 2) |> Enum.map(fn {:ok, v} -> v end)
  # safe
  @spec stream_ok({integer(), integer()}) :: [integer()]
  def stream_ok({a, b}), do: [a, b] |> Task.async_stream(fn x -> x + 1 end, max_concurrency: 2) |> Enum.map(fn {:ok, v} -> v end)

  # crash
  @spec stream_race() :: :ok
  def stream_race() do
    {:ok, a} = Agent.start_link(fn -> 0 end)
    1..2 |> Task.async_stream(fn _ -> n = Agent.get(a, & &1); Agent.update(a, fn _ -> n + 1 end) end) |> Stream.run()
    2 = Agent.get(a, & &1)
    Agent.stop(a)
  end
  # safe
  @spec stream_race_ok() :: :ok
  def stream_race_ok() do
    {:ok, a} = Agent.start_link(fn -> 0 end)
    1..2 |> Task.async_stream(fn _ -> Agent.update(a, & &1 + 1) end) |> Stream.run()
    2 = Agent.get(a, & &1)
    Agent.stop(a)
  end

  # crash
  @spec not_owner() :: :ok
  def not_owner() do
    t = Task.async(fn -> 1 end)
    me = self()
    spawn(fn -> send(me, {:got, Task.await(t)}) end)
    receive do {:got, 1} -> :ok after 100 -> :ok end
  end

  # crash
  @spec yielded(integer()) :: integer()
  def yielded(x) do
    t = Task.async(fn -> if x > 7, do: Process.sleep(1000); x end)
    {:ok, v} = Task.yield(t, 100) || Task.shutdown(t)
    v
  end
  # safe
  @spec yielded_ok(integer()) :: integer()
  def yielded_ok(x) do
    t = Task.async(fn -> if x > 7, do: Process.sleep(1000); x end)
    case Task.yield(t, 100) || Task.shutdown(t) do
      {:ok, v} -> v
      nil -> 0
    end
  end

  # crash
  @spec nolink(integer()) :: integer()
  def nolink(x) do
    {:ok, s} = Task.Supervisor.start_link()
    t = Task.Supervisor.async_nolink(s, fn -> div(100, x) end)
    v = Task.await(t)
    Supervisor.stop(s)
    v
  end
  # safe
  @spec nolink_ok(pos_integer()) :: integer()
  def nolink_ok(x) do
    {:ok, s} = Task.Supervisor.start_link()
    t = Task.Supervisor.async_nolink(s, fn -> div(100, x) end)
    v = Task.await(t)
    Supervisor.stop(s)
    v
  end

  # crash
  @spec agent(atom()) :: integer()
  def agent(k) do
    {:ok, a} = Agent.start_link(fn -> %{a: 1, b: 0} end)
    v = Agent.get(a, fn m -> div(10, Map.get(m, k, 2)) end)
    Agent.stop(a)
    v
  end
  # safe
  @spec agent_ok(atom()) :: integer()
  def agent_ok(k) do
    {:ok, a} = Agent.start_link(fn -> %{a: 1, b: 3} end)
    v = Agent.get(a, fn m -> div(10, Map.get(m, k, 2)) end)
    Agent.stop(a)
    v
  end

  # crash
  @spec lost_update() :: :ok
  def lost_update() do
    {:ok, a} = Agent.start_link(fn -> 0 end)
    f = fn -> n = Agent.get(a, & &1); Agent.update(a, fn _ -> n + 1 end) end
    Task.await_many([Task.async(f), Task.async(f)])
    2 = Agent.get(a, & &1)
    Agent.stop(a)
  end
  # safe
  @spec lost_update_ok() :: :ok
  def lost_update_ok() do
    {:ok, a} = Agent.start_link(fn -> 0 end)
    f = fn -> Agent.update(a, & &1 + 1) end
    Task.await_many([Task.async(f), Task.async(f)])
    2 = Agent.get(a, & &1)
    Agent.stop(a)
  end

  defmodule Server do
    use GenServer
    require Logger
    def init({:later, n}), do: {:ok, 0, {:continue, n}}
    def init({:idle, n}), do: {:ok, n, 50}
    def init(n), do: {:ok, n}
    def handle_continue(n, _), do: {:noreply, 100 + n}
    def handle_call(:get, _, n), do: {:reply, n, n}
    def handle_call({:div, k}, _, n) do
      Logger.error("dividing", by: k, of: n)
      {:reply, div(n, k), n}
    end
    def handle_call({:safe, k}, _, n) do
      v = try do div(n, k) rescue ArithmeticError -> 0 end
      {:reply, v, n}
    end
    def handle_cast({:set, v}, _), do: {:noreply, v}
    def handle_info(:timeout, n), do: {:noreply, n + 1000}
    def handle_info({:tick, pid}, n) do
      send(pid, {:tock, n})
      {:noreply, n}
    end
  end

  # crash
  @spec continued(integer()) :: :ok
  def continued(n) do
    {:ok, p} = GenServer.start_link(Server, {:later, n})
    if GenServer.call(p, :get) == 55, do: raise("found")
    GenServer.stop(p)
  end
  # safe
  @spec continued_ok(pos_integer()) :: :ok
  def continued_ok(n) do
    {:ok, p} = GenServer.start_link(Server, {:later, n})
    if GenServer.call(p, :get) == 55, do: raise("found")
    GenServer.stop(p)
  end

  # crash
  @spec logged(integer()) :: integer()
  def logged(k) do
    {:ok, p} = GenServer.start(Server, 100)
    v = GenServer.call(p, {:div, k})
    GenServer.stop(p)
    v
  end
  # safe
  @spec logged_ok(integer()) :: integer()
  def logged_ok(k) do
    {:ok, p} = GenServer.start(Server, 100)
    v = GenServer.call(p, {:safe, k})
    GenServer.stop(p)
    v
  end

  # crash
  @spec idle(integer()) :: :ok
  def idle(n) do
    {:ok, p} = GenServer.start_link(Server, {:idle, n})
    Process.sleep(100)
    if GenServer.call(p, :get) == 1007, do: raise("found")
    GenServer.stop(p)
  end
  # safe
  @spec idle_ok(integer()) :: :ok
  def idle_ok(n) do
    {:ok, p} = GenServer.start_link(Server, {:idle, n})
    if GenServer.call(p, :get) != n, do: raise("found")
    GenServer.stop(p)
  end

  # crash
  @spec ticked(integer()) :: :ok
  def ticked(n) do
    {:ok, p} = GenServer.start_link(Server, n)
    Process.send_after(p, {:tick, self()}, 20)
    GenServer.cast(p, {:set, n * 2})
    receive do {:tock, 14} -> raise("found"); {:tock, _} -> GenServer.stop(p) end
  end
  # safe
  @spec ticked_ok(integer()) :: :ok
  def ticked_ok(n) do
    {:ok, p} = GenServer.start_link(Server, n)
    Process.send_after(p, {:tick, self()}, 20)
    GenServer.cast(p, {:set, n * 2})
    receive do {:tock, 13} -> raise("found"); {:tock, _} -> GenServer.stop(p) end
  end

  # crash
  @spec registered(integer()) :: :ok
  def registered(n) do
    {:ok, r} = Registry.start_link(keys: :unique, name: Verdicts.Reg)
    {:ok, p} = GenServer.start_link(Server, n, name: {:via, Registry, {Verdicts.Reg, "one"}})
    v = GenServer.call({:via, Registry, {Verdicts.Reg, "one"}}, :get)
    GenServer.stop(p)
    Supervisor.stop(r)
    if v == 99, do: raise("found")
    :ok
  end
  # safe
  @spec registered_ok(integer()) :: :ok
  def registered_ok(n) do
    {:ok, r} = Registry.start_link(keys: :unique, name: Verdicts.Reg)
    {:ok, p} = GenServer.start_link(Server, n, name: {:via, Registry, {Verdicts.Reg, "one"}})
    v = GenServer.call({:via, Registry, {Verdicts.Reg, "one"}}, :get)
    GenServer.stop(p)
    Supervisor.stop(r)
    if v != n, do: raise("found")
    :ok
  end

  # crash
  @spec dynamic(integer()) :: integer()
  def dynamic(n) do
    {:ok, s} = DynamicSupervisor.start_link(strategy: :one_for_one)
    {:ok, p} = DynamicSupervisor.start_child(s, %{id: :x, start: {GenServer, :start_link, [Server, n]}})
    v = div(10, GenServer.call(p, :get) - 6)
    DynamicSupervisor.stop(s)
    v
  end
  # safe
  @spec dynamic_ok(integer()) :: integer()
  def dynamic_ok(n) do
    {:ok, s} = DynamicSupervisor.start_link(strategy: :one_for_one)
    {:ok, p} = DynamicSupervisor.start_child(s, %{id: :x, start: {GenServer, :start_link, [Server, n]}})
    v = GenServer.call(p, :get)
    DynamicSupervisor.stop(s)
    v
  end

  # crash
  @spec monitored(integer()) :: :ok
  def monitored(x) do
    {p, ref} = spawn_monitor(fn -> exit({:code, x}) end)
    receive do
      {:DOWN, ^ref, :process, ^p, {:code, 17}} -> raise("seventeen")
      {:DOWN, ^ref, :process, ^p, {:code, _}} -> :ok
    end
  end
  # safe
  @spec monitored_ok(integer()) :: :ok
  def monitored_ok(x) do
    {p, ref} = spawn_monitor(fn -> exit({:code, x}) end)
    receive do {:DOWN, ^ref, :process, ^p, {:code, y}} when y == x -> :ok end
  end

  # crash
  @spec trapped(:a | :b) :: :ok
  def trapped(x) do
    Process.flag(:trap_exit, true)
    t = Task.async(fn -> if x == :b, do: exit(:bad), else: 1 end)
    receive do
      {:EXIT, _, :bad} -> raise("trapped")
      {ref, 1} when ref == t.ref -> :ok
    end
  end
  # safe
  @spec trapped_ok(:a | :b) :: :ok
  def trapped_ok(x) do
    Process.flag(:trap_exit, true)
    p = spawn_link(fn -> if x == :b, do: exit(:bad), else: 1 end)
    receive do
      {:EXIT, ^p, :bad} -> :ok
      {:EXIT, ^p, :normal} -> :ok
    end
  end

  # crash
  @spec rescued(integer()) :: :ok
  def rescued(x) do
    me = self()
    spawn(fn ->
      r = try do
        if x == 3, do: raise(ArgumentError, "three")
        if x == 4, do: throw(:four)
        :fine
      rescue
        e in ArgumentError -> {:rescued, e.message}
      end
      send(me, r)
    end)
    receive do :fine -> :ok; {:rescued, "three"} -> :ok after 100 -> :ok end
  end
  # safe
  @spec rescued_ok(integer()) :: :ok
  def rescued_ok(x) do
    me = self()
    spawn(fn ->
      r = try do
        if x == 3, do: raise(ArgumentError, "three")
        if x == 4, do: throw(:four)
        :fine
      rescue
        e in ArgumentError -> {:rescued, e.message}
      catch
        :four -> :fine
      end
      send(me, r)
    end)
    receive do :fine -> :ok; {:rescued, "three"} -> :ok end
  end

  # crash
  @spec warned(integer()) :: :ok
  def warned(x), do: Logger.warning("value #{div(10, x - 5)}")
  # safe
  @spec warned_ok(integer()) :: :ok
  def warned_ok(x), do: Logger.warning("value", value: x)

  # crash
  @spec lazily(integer()) :: :ok
  def lazily(x) do
    me = self()
    Logger.error(fn -> send(me, x); "text" end)
    receive do 8 -> raise("eight"); _ -> :ok after 0 -> raise("none") end
  end

  # crash
  @spec received(integer(), integer()) :: :ok
  def received(a, b) do
    me = self()
    spawn(fn -> send(me, {:a, a}) end)
    spawn(fn -> send(me, {:b, b}) end)
    with {:ok, x} <- wait(:a), {:ok, y} <- wait(:b), true <- x + y == 100 do
      raise("hundred")
    else
      _ -> :ok
    end
  end
  # safe
  @spec received_ok(integer(), integer()) :: :ok
  def received_ok(a, b) do
    me = self()
    spawn(fn -> send(me, {:a, a}) end)
    spawn(fn -> send(me, {:b, b}) end)
    with {:ok, x} <- wait(:a), {:ok, y} <- wait(:b), true <- x + y != a + b do
      raise("other")
    else
      _ -> :ok
    end
  end
  defp wait(tag), do: (receive do {^tag, v} -> {:ok, v} after 1000 -> :timeout end)

  # incomplete
  @spec setting(integer()) :: :ok
  def setting(x) do
    Application.put_env(:verdicts, :limit, x)
    if Application.get_env(:verdicts, :limit) == 12, do: raise("found")
    :ok
  end
  # incomplete
  @spec setting_ok(integer()) :: :ok
  def setting_ok(x) do
    if Application.get_env(:verdicts, :limit, x) != x, do: raise("found")
    :ok
  end

  # crash
  @spec supervised(integer()) :: :ok
  def supervised(x) do
    {:ok, s} = Supervisor.start_link([%{id: :a, start: {Agent, :start_link, [fn -> x end, [name: Verdicts.A]]}}], strategy: :one_for_one)
    v = Agent.get(Verdicts.A, & &1)
    Supervisor.stop(s)
    if v == 77, do: raise("found")
    :ok
  end
  # safe
  @spec supervised_ok(integer()) :: :ok
  def supervised_ok(x) do
    {:ok, s} = Supervisor.start_link([%{id: :a, start: {Agent, :start_link, [fn -> x end, [name: Verdicts.A]]}}], strategy: :one_for_one)
    v = Agent.get(Verdicts.A, & &1)
    Supervisor.stop(s)
    if v != x, do: raise("found")
    :ok
  end

  # crash
  @spec started(integer()) :: :ok
  def started(x) do
    {:ok, _} = Task.start(fn -> if x == 33, do: raise("found") end)
    :ok
  end
  # safe
  @spec started_ok(integer()) :: :ok
  def started_ok(x) do
    {:ok, _} = Task.start(fn -> is_integer(x) end)
    :ok
  end
end
