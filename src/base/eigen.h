/* SPDX-License-Identifier: Apache-2.0 */
/* Eigenvalues of small symmetric matrices. */
#ifndef ASSAY_BASE_EIGEN_H
#define ASSAY_BASE_EIGEN_H

#include <stdbool.h>
#include <stddef.h>

/* a is symmetric, n x n, row by row.  Afterwards value[] holds the eigenvalues, largest
 * first, and row i of `a` the eigenvector of value[i], of length 1, its largest component
 * positive.  `room` is scratch space for n doubles.  False: no convergence (numbers that
 * are not finite); then `a` is spoilt. */
bool assay_eigen(double *a, size_t n, double *value, double *room);

/* Cholesky: the lower triangle of `a` (n x n, symmetric) becomes L with a = L L^T.  False:
 * not positive definite. */
bool assay_cholesky(double *a, size_t n);

/* The lower triangle L becomes its inverse, with zeros above. */
void assay_cholesky_invert(double *l, size_t n);

#endif
