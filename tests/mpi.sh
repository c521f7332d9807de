#!/bin/sh
# tests/mpi.sh PROGRAM...: runs the examples of examples/mpi with one and with four ranks: through
# device memory, through host memory, by MPI's shared memory and by its sockets, and where the system
# allows network namespaces on two nodes, between which MPI uses the network.
# shows memory 4 17
cd "$(dirname "$0")/.." || exit 1
. tests/checks.sh
begin_checks mpi
command -v mpirun >/dev/null && [ $# -gt 0 ] || {
  skip "Open MPI is not installed"
  end_checks
  exit
}
# Ranks that wait let others run; all of them are on few processors here.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1 \
  OMPI_MCA_rmaps_base_oversubscribe=1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe

# holds PATTERN COUNT COMMAND...: the command succeeds, and so many of its lines match.
holds() {
  pattern=$1 count=$2
  shift 2
  "$@" </dev/null >"$work/lines" 2>&1
  code=$?
  cat "$work/lines"
  [ $code -eq 0 ] && grep -qx OK "$work/lines" &&
    [ "$(grep -c "$pattern" "$work/lines")" -eq "$count" ]
}

# nodes COMMAND...: mpirun with two ranks on each of two nodes, which are namespaces of network and
# host name of their own, connected by a pair of devices.
cat >"$work/nodes" <<'NODES'
set -e
mount -t tmpfs none /run
ip link set lo up
ip netns add second
ip link add first type veth peer name second netns second
ip addr add 10.77.0.1/24 dev first
ip link set first up
ip -n second addr add 10.77.0.2/24 dev second
ip -n second link set second up
ip -n second link set lo up
hostname first
[ $# -gt 0 ] || exit 0
# Open MPI starts its daemon on the second node by this, with the address first.
cat >/run/start <<'START'
#!/bin/sh
shift
exec ip netns exec second unshare --uts sh -c "hostname second; $*"
START
chmod +x /run/start
exec mpirun --mca plm_rsh_agent /run/start -H 10.77.0.1:2,10.77.0.2:2 -n 4 "$@"
NODES
nodes() { unshare --user --map-root-user --net --mount --uts sh "$work/nodes" "$@"; }

nodes >"$work/allowed" 2>&1
has_nodes=$?
for program; do
  example=$(basename "$program")
  check "$example: one rank" holds '^rank' 1 env ZECL_IPC=1 mpirun -n 1 "$program"
  check "$example: four ranks through device memory" \
    holds '^rank [0-3].*through device memory' 4 env ZECL_IPC=1 mpirun -n 4 "$program"
  check "$example: four ranks through device memory, by descriptors of each other" \
    holds '^rank [0-3].*through device memory' 4 env ZECL_IPC=descriptor mpirun -n 4 "$program"
  check "$example: four ranks through host memory, since the driver shares none" \
    holds '^rank [0-3].*through host memory' 4 env ZECL_IPC=0 mpirun -n 4 "$program"
  check "$example: four ranks through host memory and the loopback device" \
    holds '^rank [0-3].*through host memory' 4 env ZECL_IPC=0 \
    mpirun --mca btl tcp,self --mca btl_tcp_if_include lo -n 4 "$program"
  if [ $has_nodes -eq 0 ]; then
    # Two ranks have their next rank, or a neighbour, on the other node.
    check "$example: four ranks on two nodes" \
      holds 'through host memory' 2 nodes env ZECL_IPC=1 "$program"
  else
    skip "$example: two nodes: the system allows no namespaces: $(tail -n 1 "$work/allowed")"
  fi
done
end_checks
