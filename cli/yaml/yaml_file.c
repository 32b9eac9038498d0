/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/yaml/yaml_file.c -- reads a file of one YAML document with libyaml.
 */
#include "cli/yaml/yaml_file.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"

int yaml_file_bad(const struct yaml_file *f, const yaml_node_t *node,
		  const char *fmt, ...)
{
	char text[200];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return diag_set(f->diag, f->path, (unsigned)node->start_mark.line + 1,
			(unsigned)node->start_mark.column + 1, NULL, "%s",
			text);
}

const yaml_node_t *yaml_file_node(struct yaml_file *f, int index)
{
	return yaml_document_get_node(&f->doc, index);
}

const char *yaml_file_scalar(const yaml_node_t *node)
{
	const char *s;

	if (!node || node->type != YAML_SCALAR_NODE)
		return NULL;
	s = (const char *)node->data.scalar.value;
	if (strlen(s) != node->data.scalar.length)
		return NULL; /* it has a NUL */
	return s;
}

/* Finds line and column of an offset. */
static void yaml_file_place(const struct yaml_file *f, size_t offset,
			    unsigned *ret_line, unsigned *ret_col)
{
	*ret_line = *ret_col = 1;
	for (size_t i = 0; i < offset && i < f->len; i++, ++*ret_col)
		if (f->text[i] == '\n') {
			++*ret_line;
			*ret_col = 0;
		}
}

/* Returns the error of the parser, with its place. */
static int yaml_file_fails(const struct yaml_file *f,
			   const yaml_parser_t *parser)
{
	unsigned line = (unsigned)parser->problem_mark.line + 1,
		 col = (unsigned)parser->problem_mark.column + 1;

	if (parser->error == YAML_MEMORY_ERROR)
		return ERR_NOMEM;
	if (parser->error == YAML_READER_ERROR) /* it has no mark */
		yaml_file_place(f, parser->problem_offset, &line, &col);
	return diag_set(f->diag, f->path, line, col, NULL, "%s",
			text_or(parser->problem, "no YAML"));
}

/* Refuses a second document. */
static int yaml_file_end(const struct yaml_file *f, yaml_parser_t *parser)
{
	yaml_document_t more;
	const yaml_node_t *root;
	int err = 0;

	if (!yaml_parser_load(parser, &more))
		return yaml_file_fails(f, parser);
	root = yaml_document_get_root_node(&more);
	if (root)
		err = yaml_file_bad(f, root, "there is more than one document");
	yaml_document_delete(&more);
	return err;
}

int yaml_file_read(struct yaml_file *f,
		   int (*take)(struct yaml_file *f, const yaml_node_t *root,
			       void *arg),
		   void *arg)
{
	yaml_parser_t parser;
	const yaml_node_t *root;
	int err;

	if (!yaml_parser_initialize(&parser))
		return ERR_NOMEM;
	yaml_parser_set_input_string(&parser, (const unsigned char *)f->text,
				     f->len);
	if (yaml_parser_load(&parser, &f->doc)) {
		root = yaml_document_get_root_node(&f->doc);
		if (root)
			err = take(f, root, arg);
		else
			err = diag_set(f->diag, f->path, 0, 0, NULL,
				       "the file is empty");
		yaml_document_delete(&f->doc);
		if (!err)
			err = yaml_file_end(f, &parser);
	} else {
		err = yaml_file_fails(f, &parser);
	}
	yaml_parser_delete(&parser);
	return err;
}
