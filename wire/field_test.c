/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/field_test.c -- tests tables, accessors and the bits below them.
 *
 * The accessors of every header are compared with its table on random bytes;
 * golden_test and mutation_test check the tables themselves.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/rng.h"
#include "wire/registry.h"

#define ROWS(a) (sizeof(a) / sizeof((a)[0]))
#define SIZE    64 /* bytes of the longest header */

static void field_test_random_bytes(struct rng *r, uint8_t *p, size_t len)
{
	for (size_t i = 0; i < len; i++)
		p[i] = (uint8_t)rng_next(r);
}

/* ---- Bits, compared with a reference that reads bit by bit ---- */

static uint64_t slow_get(const uint8_t *p, unsigned at, unsigned width)
{
	uint64_t v = 0;

	for (unsigned i = at; i < at + width; i++)
		v = v << 1 | (p[i / 8] >> (7 - i % 8) & 1);
	return v;
}

static void slow_put(uint8_t *p, unsigned at, unsigned width, uint64_t v)
{
	for (unsigned i = at + width; i-- > at; v >>= 1) {
		uint8_t bit = (uint8_t)(0x80 >> i % 8);

		p[i / 8] = (uint8_t)((p[i / 8] & ~bit) | (v & 1 ? bit : 0));
	}
}

static void bits_are_those_of_the_slow_twin(void **state)
{
	struct rng r = {1};
	uint8_t fast[18], slow[18];

	(void)state;
	for (unsigned at = 0; at < 72; at++)
		for (unsigned width = 1; width <= 64; width++) {
			uint64_t v = rng_next(&r);

			field_test_random_bytes(&r, fast, sizeof(fast));
			memcpy(slow, fast, sizeof(fast));
			assert_int_equal(bits_get(fast, at, width),
					 slow_get(fast, at, width));
			bits_put(fast, at, width, v);
			slow_put(slow, at, width, v);
			assert_memory_equal(fast, slow, sizeof(fast));
		}
}

/* ---- Names ---- */

/* Names that share a slot, in any order, and names that no field has. */
static void fields_are_found_in_any_order(void **state)
{
	struct rng r = {2};

	(void)state;
	for (unsigned n = 0; n < 50000; n++) {
		const uint32_t at = rng_below(&r, (uint32_t)wire_nheaders);
		const struct header *h = wire_headers[at];
		const struct header *of =
			wire_headers[rng_below(&r, (uint32_t)wire_nheaders)];
		const struct field *f =
			&of->fields[rng_below(&r, (uint32_t)of->nfields)];
		const struct field *want = NULL;

		for (size_t i = 0; i < h->nfields; i++)
			if (strcmp(h->fields[i].name, f->name) == 0)
				want = &h->fields[i];
		assert_ptr_equal(header_field(h, f->name, f->name_len), want);
	}
}

/* ---- Tables ---- */

static void every_table_describes_its_header(void **state)
{
	(void)state;
	assert_int_equal(wire_nheaders, 49);
	for (size_t i = 0; i < wire_nheaders; i++) {
		assert_null(header_check(wire_headers[i]));
		assert_in_range(wire_headers[i]->len, 1, SIZE);
		assert_non_null(wire_headers[i]->spec);
		for (size_t k = 0; k < i; k++)
			assert_ptr_not_equal(wire_headers[i], wire_headers[k]);
	}
}

static const struct value_name fine[] = {{0, "a"}, {3, "b"}, {0, NULL}};
static const struct value_name odd_word[] = {{0, "A"}, {0, NULL}};
static const struct value_name too_big[] = {{4, "a"}, {0, NULL}};
static const struct value_name same_value[] = {{1, "a"}, {1, "b"}, {0, NULL}};
static const struct value_name same_name[] = {{1, "a"}, {2, "a"}, {0, NULL}};

#define TABLE(bytes, ...)                                                      \
	{                                                                      \
		.len = (bytes), .fields = (const struct field[]){__VA_ARGS__}, \
		.nfields = ROWS(((const struct field[]){__VA_ARGS__})),        \
	}
#define DERIVED(...)                                                      \
	{                                                                 \
		.len = 8,                                                 \
		.fields =                                                 \
			(const struct field[]){                           \
				{"psn", FIELD_SEQ, 0, 32, NULL, 0, 3},    \
				{"id", FIELD_ID, 32, 16, NULL, 0, 2},     \
				{"gap", FIELD_SINT, 48, 16, NULL, 0, 3}}, \
		.nfields = 3,                                             \
		.derived = (const struct derived[]){__VA_ARGS__},         \
		.nderived = 1,                                            \
	}

/* clang-format off */
static const struct {
	struct header h;
	const char *why; /* the expected fault; NULL: the table is right */
} tables[] = {
	{TABLE(1, {"a", FIELD_UINT, 0, 3, NULL, 0, 1}, {"b", FIELD_UINT, 3, 5, NULL, 0, 1}),
		NULL},
	{TABLE(1, {"a", FIELD_ENUM, 0, 2, fine, 0, 1}, {"b", FIELD_SINT, 2, 6, NULL, 0, 1}),
		NULL},
	{DERIVED({"sum", "psn", "gap", -1, 3, 3, 0, 0, 0}), NULL},
	{TABLE(1, {"a", FIELD_UINT, 0, 4, NULL, 0, 1}, {"b", FIELD_UINT, 3, 5, NULL, 0, 1}),
		"fields overlap or are out of order"},
	{TABLE(1, {"a", FIELD_UINT, 5, 3, NULL, 0, 1}, {"b", FIELD_UINT, 0, 5, NULL, 0, 1}),
		"bits that no field describes"},
	{TABLE(1, {"a", FIELD_UINT, 0, 2, NULL, 0, 1}, {"b", FIELD_UINT, 3, 5, NULL, 0, 1}),
		"bits that no field describes"},
	{TABLE(1, {"a", FIELD_UINT, 0, 7, NULL, 0, 1}),
		"fields do not fill the header"},
	{TABLE(1, {"a", FIELD_UINT, 0, 9, NULL, 0, 1}),
		"fields do not fill the header"},
	{TABLE(1, {"a", FIELD_UINT, 0, 0, NULL, 0, 1}), "field width is not 1..64"},
	{TABLE(9, {"a", FIELD_UINT, 0, 72, NULL, 0, 1}), "field width is not 1..64"},
	{TABLE(1, {"a", FIELD_FLAG, 0, 8, NULL, 0, 1}), "flag wider than one bit"},
	{TABLE(2, {"a", FIELD_SEQ, 0, 16, NULL, 0, 1}),
		"serial number is not 24 or 32 bits"},
	{TABLE(1, {"a", FIELD_SINT, 0, 1, NULL, 0, 1}, {"b", FIELD_UINT, 1, 7, NULL, 0, 1}),
		"signed field of one bit"},
	{TABLE(1, {"a", FIELD_ENUM, 0, 8, NULL, 0, 1}),
		"named values that are missing, or not allowed"},
	{TABLE(1, {"a", FIELD_UINT, 0, 8, fine, 0, 1}),
		"named values that are missing, or not allowed"},
	{TABLE(1, {"", FIELD_UINT, 0, 8, NULL, 0, 0}), "field name is not a word"},
	{TABLE(1, {"a-b", FIELD_UINT, 0, 8, NULL, 0, 3}), "field name is not a word"},
	{TABLE(1, {"a", FIELD_UINT, 0, 8, NULL, 0, 2}),
		"field name of another length"},
	{TABLE(1, {"a", FIELD_UINT, 0, 4, NULL, 0, 1}, {"a", FIELD_UINT, 4, 4, NULL, 0, 1}),
		"two fields have one name"},
	{TABLE(1, {"a", FIELD_ENUM, 0, 8, odd_word, 0, 1}),
		"value name is not a word"},
	{TABLE(1, {"a", FIELD_ENUM, 0, 2, too_big, 0, 1},
		  {"b", FIELD_UINT, 2, 6, NULL, 0, 1}),
		"named value does not fit its field"},
	{TABLE(1, {"a", FIELD_ENUM, 0, 8, same_value, 0, 1}),
		"two names for a value, or two values for a name"},
	{TABLE(1, {"a", FIELD_ENUM, 0, 8, same_name, 0, 1}),
		"two names for a value, or two values for a name"},
	{DERIVED({"gap", "psn", "gap", +1, 3, 3, 0, 0, 0}),
		"derived value is not a word, or a field has its name"},
	{DERIVED({"Sum", "psn", "gap", +1, 3, 3, 0, 0, 0}),
		"derived value is not a word, or a field has its name"},
	{DERIVED({"sum", "psn", "gone", +1, 3, 4, 0, 0, 0}),
		"derived value of a field that does not exist"},
	{DERIVED({"sum", "gone", "gap", +1, 4, 3, 0, 0, 0}),
		"derived value of a field that does not exist"},
	{DERIVED({"sum", "id", "gap", +1, 2, 3, 0, 0, 0}),
		"derived value on a base that is no serial number"},
	{DERIVED({"sum", "psn", "gap", 0, 3, 3, 0, 0, 0}), "derived value without a sign"},
};
/* clang-format on */

static void broken_tables_are_caught(void **state)
{
	(void)state;
	for (size_t i = 0; i < ROWS(tables); i++) {
		const char *why = header_check(&tables[i].h);

		if (tables[i].why) {
			assert_non_null(why);
			assert_string_equal(why, tables[i].why);
		} else
			assert_null(why);
	}
}

/* ---- Fields ---- */

static uint64_t ones(unsigned width)
{
	if (width == 64)
		return UINT64_MAX;
	return ((uint64_t)1 << width) - 1;
}

static uint64_t as_read(const struct field *f, uint64_t v)
{
	if (f->kind == FIELD_SINT && v >> (f->width - 1) & 1)
		v |= ~ones(f->width);
	return v;
}

/* Writes one field: it is read back, and no other bit changes. */
static void survives_alone(const struct header *h, const struct field *f,
			   uint64_t v, int background)
{
	uint8_t bytes[SIZE], twin[SIZE];

	memset(bytes, background, sizeof(bytes));
	memset(twin, background, sizeof(twin));
	field_set(f, bytes, v);
	slow_put(twin, f->at, f->width, v);
	assert_memory_equal(bytes, twin, sizeof(bytes));
	assert_int_equal(field_get(f, bytes), as_read(f, v & ones(f->width)));
	assert_ptr_equal(header_field(h, f->name, strlen(f->name)), f);
}

static void every_field_survives_alone(void **state)
{
	(void)state;
	for (size_t k = 0; k < wire_nheaders; k++)
		for (size_t i = 0; i < wire_headers[k]->nfields; i++) {
			const struct field *f = &wire_headers[k]->fields[i];

			for (unsigned b = 0; b < f->width; b++) {
				survives_alone(wire_headers[k], f,
					       (uint64_t)1 << b, 0x00);
				survives_alone(wire_headers[k], f,
					       ~((uint64_t)1 << b), 0xff);
			}
		}
}

static void values_that_do_not_fit_are_told(void **state)
{
	(void)state;
	for (size_t k = 0; k < wire_nheaders; k++)
		for (size_t i = 0; i < wire_headers[k]->nfields; i++) {
			const struct field *f = &wire_headers[k]->fields[i];
			uint64_t max = ones(f->width);

			if (f->kind == FIELD_SINT)
				max >>= 1;
			assert_true(field_fits(f, 0));
			assert_true(field_fits(f, max));
			if (f->width == 64)
				continue;
			assert_false(field_fits(f, max + 1));
			assert_int_equal(field_fits(f, ~max),
					 f->kind == FIELD_SINT);
			assert_false(field_fits(f, ~max - 1));
		}
}

static void names_are_found_whole(void **state)
{
	const struct header *h = &pds_req_syn_header;

	(void)state;
	assert_null(header_field(h, "ps", 2));
	assert_null(header_field(h, "psnx", 4));
	assert_non_null(header_field(h, "psnx", 3));
	assert_null(header_field(h, "", 0));
	assert_null(header_derived(h, "clear", 5));
	assert_non_null(header_derived(h, "clear_psn", 9));
	assert_non_null(header_derived(h, "start_psn", 9));
}

static void values_are_found_by_name(void **state)
{
	uint64_t v = 99;

	(void)state;
	assert_string_equal(value_find(pds_types, PDS_ROD_REQ), "rod_req");
	assert_null(value_find(pds_types, 31));
	assert_int_equal(value_parse(pds_types, "ack", 3, &v), 0);
	assert_int_equal(v, PDS_ACK);
	assert_int_equal(value_parse(pds_types, "ac", 2, &v), ERR_VALUE);
	assert_int_equal(v, PDS_ACK);
}

/* ---- Derived values ---- */

static void field_test_check_derived(const char *name, uint32_t psn,
				     uint32_t value, int err)
{
	const struct header *h = &pds_req_syn_header;
	const struct derived *d = header_derived(h, name, strlen(name));
	uint8_t bytes[pds_req_syn_len] = {0}, before[pds_req_syn_len];

	assert_non_null(d);
	field_set(header_field(h, "psn", 3), bytes, psn);
	memcpy(before, bytes, sizeof(bytes));
	assert_int_equal(derived_set(h, d, bytes, value), err);
	if (err)
		assert_memory_equal(before, bytes, sizeof(bytes));
	else
		assert_int_equal(derived_get(h, d, bytes), value);
}

static void derived_values_wrap_and_have_a_range(void **state)
{
	(void)state;
	field_test_check_derived("clear_psn", 333, 332, 0);
	field_test_check_derived("clear_psn", 333, 333, 0);
	field_test_check_derived("clear_psn", 0, 0xffffffff, 0);
	field_test_check_derived("clear_psn", 0xffffffff, 0, 0);
	field_test_check_derived("clear_psn", 7, 7u - 32768, 0);
	field_test_check_derived("clear_psn", 7, 7u - 32769, ERR_VALUE);
	field_test_check_derived("clear_psn", 7, 7u + 32767, 0);
	field_test_check_derived("clear_psn", 7, 7u + 32768, ERR_VALUE);
	field_test_check_derived("start_psn", 2, 0xffffffff, 0);
	field_test_check_derived("start_psn", 4095, 0, 0);
	field_test_check_derived("start_psn", 4096, 0, ERR_VALUE);
	field_test_check_derived("start_psn", 4, 5, ERR_VALUE);
}

/* ---- Accessors of every header ---- */

#define FIELD_AGREES(h, type, member, kind, at, width, names)                  \
	assert_int_equal(                                                      \
		field_get(header_field(&h##_header, #member, strlen(#member)), \
			  bytes),                                              \
		(uint64_t)v.member);

#define ACCESSORS(h, LIST)                                                 \
	static void h##_accessors_agree(void **state)                      \
	{                                                                  \
		struct rng r = {rng_mix(1, #h)};                           \
		uint8_t bytes[h##_len], back[h##_len];                     \
		struct h v;                                                \
                                                                           \
		(void)state;                                               \
		assert_int_equal(h##_header.len, (int)h##_len);            \
		for (int i = 0; i < 100; i++) {                            \
			field_test_random_bytes(&r, bytes, sizeof(bytes)); \
			field_test_random_bytes(&r, back, sizeof(back));   \
			h##_get(&v, bytes);                                \
			LIST(FIELD_AGREES)                                 \
			h##_put(&v, back);                                 \
			assert_memory_equal(back, bytes, sizeof(bytes));   \
		}                                                          \
	}

WIRE_HEADERS(ACCESSORS)

#define ACCESSORS_TEST(h, LIST) cmocka_unit_test(h##_accessors_agree),

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bits_are_those_of_the_slow_twin),
		cmocka_unit_test(fields_are_found_in_any_order),
		cmocka_unit_test(every_table_describes_its_header),
		cmocka_unit_test(broken_tables_are_caught),
		cmocka_unit_test(every_field_survives_alone),
		cmocka_unit_test(values_that_do_not_fit_are_told),
		cmocka_unit_test(names_are_found_whole),
		cmocka_unit_test(values_are_found_by_name),
		cmocka_unit_test(derived_values_wrap_and_have_a_range),
		WIRE_HEADERS(ACCESSORS_TEST)};

	return cmocka_run_group_tests_name("wire.field", tests, NULL, NULL);
}
