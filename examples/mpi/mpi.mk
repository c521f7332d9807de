# The examples of MPI, where its compiler is installed (Debian: libopenmpi-dev). They run under
# mpirun, by tests/mpi.sh.

mpi_programs := $(if $(shell command -v mpicc),$(patsubst %.c,$(build)/%,$(wildcard examples/mpi/*.c)))
examples: $(mpi_programs)

$(mpi_programs:%=%.o): COMMON_ALL += $(shell mpicc --showme:compile)
$(mpi_programs): $(build)/%: $(build)/%.o $(example_bodies)
	$(call show,LINK)$(CC) -o $@ $^ $(LDFLAGS_ALL) $(shell mpicc --showme:link) -lze_loader -ldl
