/** Functions that both servers have: https://dev.mysql.com/doc/refman/8.4/en/built-in-function-reference.html */
export const mysqlFunctionNames =
  `abs acos adddate addtime ascii asin atan atan2 avg bin bin_to_uuid bit_and bit_count bit_length
  bit_or bit_xor cast ceil ceiling char char_length character_length coalesce collation concat concat_ws conv convert
  convert_tz cos cot count crc32 cume_dist curdate current_date current_time current_timestamp curtime database date date_add
  date_format date_sub datediff day dayname dayofmonth dayofweek dayofyear degrees dense_rank elt exp extract field
  find_in_set first_value floor format from_base64 from_days from_unixtime greatest group_concat hex hour if ifnull inet6_aton
  inet6_ntoa inet_aton inet_ntoa insert instr isnull json_array json_arrayagg json_contains json_contains_path json_extract
  json_keys json_length json_object json_objectagg json_quote json_search json_type json_unquote json_valid json_value lag
  last_day last_value lcase lead least left length ln locate log log10 log2 lower lpad ltrim makedate maketime max md5
  microsecond mid min minute mod month monthname now nth_value ntile nullif oct octet_length ord percent_rank period_add
  period_diff pi position pow power quarter quote radians rand rank regexp_instr regexp_replace regexp_substr repeat replace
  reverse right round row_number rpad rtrim sec_to_time second sha1 sha2 sign sin soundex space sqrt std stddev stddev_pop
  stddev_samp str_to_date strcmp subdate substr substring substring_index subtime sum sysdate tan time time_format time_to_sec
  timediff timestamp timestampadd timestampdiff to_base64 to_days to_seconds trim truncate ucase unhex unix_timestamp upper
  utc_date utc_time utc_timestamp uuid uuid_to_bin var_pop var_samp variance week weekday weekofyear year yearweek`.split(
    /\s+/,
  )

/** Functions that only one of them has, and keywords that precede a parenthesis without being calls. */
const extraNames = `add_months any_value avg bit_and chr decode format_pico_time group_concat grouping
  json_array_append json_array_insert json_compact json_depth json_detailed json_equals json_exists json_insert json_loose
  json_keys json_length json_merge json_merge_patch json_merge_preserve json_normalize json_object_filter_keys
  json_object_to_array json_overlaps json_pretty json_query json_remove json_replace json_set json_storage_size json_table
  json_schema_valid json_unquote json_valid kdf length lengthb lower lpad median member natural_sort_key nvl nvl2 octet_length
  percentile_cont percentile_disc regexp_like sformat sha sys_guid to_char to_date to_number trunc weight_string
  binary bit blob char date datetime dec decimal double fixed float int integer nchar numeric nvarchar real signed text time
  timestamp unsigned varbinary varchar year
  div rlike regexp xor`

/** Names allowed to users who may read only some tables: stored functions can read others. */
export const safeMysqlNames: ReadonlySet<string> = new Set([...mysqlFunctionNames, ...extraNames.trim().split(/\s+/)])
