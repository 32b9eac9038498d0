/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/yaml/yaml_file.h -- reads a file of one YAML document with libyaml, and
 * reports errors with their place.
 */
#ifndef CLI_YAML_YAML_FILE_H
#define CLI_YAML_YAML_FILE_H

#include <stddef.h>
#include <yaml.h>

#include "base/diag.h"

struct yaml_file {
	const char *path, *text; /* lent */
	size_t len;              /* of |text| */
	struct diag *diag;
	yaml_document_t doc;
};

/*
 * yaml_file_read parses the text of |f| and passes the root of its document to
 * |take|, with |arg|.
 *
 * Return: what |take| returns.  Errors:
 * - ERR_SYNTAX with |f->diag|: no YAML, an empty file, or a second document
 * - ERR_NOMEM
 */
int yaml_file_read(struct yaml_file *f,
		   int (*take)(struct yaml_file *f, const yaml_node_t *root,
			       void *arg),
		   void *arg);

/* yaml_file_bad reports an error at a node.  Return: ERR_SYNTAX. */
__attribute__((format(printf, 3, 4))) int
yaml_file_bad(const struct yaml_file *f, const yaml_node_t *node,
	      const char *fmt, ...);

/* yaml_file_node returns a node of the document, lent. */
const yaml_node_t *yaml_file_node(struct yaml_file *f, int index);

/* yaml_file_scalar returns the text of a scalar, lent, or NULL. */
const char *yaml_file_scalar(const yaml_node_t *node);

#endif
