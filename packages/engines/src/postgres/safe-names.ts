/** https://www.postgresql.org/docs/current/functions.html , without those that reveal the catalog, settings or sessions. */
const functions = `
  abbrev abs acos acosd acosh age any_value area array_agg array_append array_cat array_dims array_fill array_length
  array_lower array_ndims array_position array_positions array_prepend array_remove array_replace array_reverse
  array_sample array_shuffle array_sort array_to_json array_to_string array_to_tsvector array_upper ascii asin asind
  asinh atan atan2 atan2d atand atanh avg bit bit_and bit_count bit_length bit_or bit_xor bool bool_and bool_or box
  bpchar broadcast btrim cardinality casefold cbrt ceil ceiling center char char_length character_length chr cidr
  circle clock_timestamp coalesce concat concat_ws convert convert_from convert_to corr cos cosd cosh cot cotd count
  covar_pop covar_samp crc32 crc32c cume_dist current_date current_schema current_user date date_add date_bin
  date_part date_subtract date_trunc datemultirange daterange decode degrees dense_rank diagonal diameter div encode
  enum_first enum_last enum_range erf erfc every exp extract factorial family first_value float4 float8 floor format
  gamma gcd gen_random_uuid generate_series generate_subscripts get_bit get_byte hashtext height host hostmask
  inet_merge inet_same_family initcap int2 int4 int4multirange int4range int8 int8multirange int8range interval
  is_normalized isclosed isempty isfinite ishorizontal isnan isopen isparallel isperp isvertical json_agg
  json_array_elements json_array_elements_text json_array_length json_build_array json_build_object json_each
  json_each_text json_object json_object_agg json_object_keys json_populate_record json_populate_recordset
  json_scalar json_serialize json_strip_nulls json_to_record json_to_recordset json_to_tsvector json_typeof jsonb_agg
  jsonb_array_elements jsonb_array_elements_text jsonb_array_length jsonb_build_array jsonb_build_object jsonb_each
  jsonb_each_text jsonb_insert jsonb_object jsonb_object_agg jsonb_object_keys jsonb_path_exists jsonb_path_exists_tz
  jsonb_path_match jsonb_path_match_tz jsonb_path_query jsonb_path_query_array jsonb_path_query_array_tz
  jsonb_path_query_first jsonb_path_query_first_tz jsonb_path_query_tz jsonb_populate_record jsonb_populate_recordset
  jsonb_pretty jsonb_set jsonb_set_lax jsonb_strip_nulls jsonb_to_record jsonb_to_recordset jsonb_to_tsvector
  jsonb_typeof justify_days justify_hours justify_interval lag last_value lcm lead left length like_escape levenshtein lgamma
  like line ln log log10 lower lower_inc lower_inf lpad lseg ltrim macaddr macaddr8 make_date make_interval make_time
  make_timestamp make_timestamptz masklen max md5 min min_scale mod mode money multirange name netmask network
  normalize notlike now npoints nth_value ntile num_nonnulls num_nulls numeric nummultirange numnode numrange
  octet_length overlaps overlay parse_ident path percent_rank percentile_cont percentile_disc pg_collation_for
  pg_column_size pg_input_is_valid pg_size_bytes pg_size_pretty pg_typeof phraseto_tsquery pi plainto_tsquery point
  polygon position pow power quote_ident quote_literal quote_nullable radians radius random random_normal range_agg
  range_intersect_agg range_merge rank regexp_count regexp_instr regexp_like regexp_match regexp_matches
  regexp_replace regexp_split_to_array regexp_split_to_table regexp_substr regr_avgx regr_avgy regr_count
  regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy repeat replace reverse right round row_number
  row_to_json rpad rtrim scale session_user set_bit set_byte set_masklen setseed setweight sha224 sha256 sha384
  sha512 sign similar_to_escape similarity sin sind sinh slope split_part sqrt starts_with statement_timestamp stddev stddev_pop
  stddev_samp string_agg string_to_array string_to_table strip strpos substr substring sum tan tand tanh text time
  time_bucket timestamp timestamptz timetz timezone to_ascii to_bin to_char to_date to_hex to_json to_jsonb to_number
  to_oct to_timestamp to_tsquery to_tsvector transaction_timestamp translate trim_array trim_scale trunc ts_delete
  ts_filter ts_headline ts_lexize ts_rank ts_rank_cd tsmultirange tsquery_phrase tsrange tstzmultirange tstzrange
  tsvector_to_array unaccent unistr unnest upper upper_inc upper_inf uuid_extract_timestamp uuid_extract_version
  uuidv4 uuidv7 var_pop var_samp varbit varchar variance version websearch_to_tsquery width width_bucket
  word_similarity xml xml_is_well_formed xml_is_well_formed_content xml_is_well_formed_document xmlagg xmlcomment
  xmlexists xpath xpath_exists`

/** Types without those that look up names in the catalog (`regclass`); the row type of a table has the table's name. */
const types = `
  bit bool box bpchar bytea char cidr circle citext date datemultirange daterange float4 float8 hstore inet int2 int4
  int4multirange int4range int8 int8multirange int8range interval json jsonb jsonpath line lseg ltree macaddr
  macaddr8 money name nummultirange numeric numrange oid path point polygon record text time timestamp timestamptz
  timetz tsmultirange tsquery tsrange tstzmultirange tstzrange tsvector unknown uuid varbit varchar vector xml
  geometry geography`

/** Names allowed to users who may read only some tables. */
export const safePostgresNames: ReadonlySet<string> = new Set(`${functions} ${types}`.trim().split(/\s+/))
