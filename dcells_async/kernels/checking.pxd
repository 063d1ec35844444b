# The C types of checking.py; what they are for is told there.

from dcells_async.kernels.cells cimport SparseSets
