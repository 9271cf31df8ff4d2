/** Table functions that only compute; all others read files, servers, tables or SQL in a string. */
export const clickhouseTableFunctions: ReadonlySet<string> = new Set(
  `numbers numbers_mt zeros zeros_mt values sqlstandardvalues null format generaterandom generateseries generate_series
  primes`.split(/\s+/),
)

/**
 * Table functions anywhere (`x IN url('...')`); functions that read files, dictionaries, settings, server names or other servers,
 * call a model, accept SQL in a setting, increment a shared counter, write a log or sleep; and IN as a function, whose second
 * argument may be a table. The second line of defense is an account without grants for them.
 */
export const clickhouseForbidden = new RegExp(
  `^(${[
    'url(cluster)?|file(cluster)?|filesystem|s3(cluster)?|gcs|oss|cosn|hdfs(cluster)?|azureblobstorage(cluster)?|ytsaurus',
    'hudi(cluster)?|deltalake.*|iceberg.*|paimon.*|remote(secure)?|cluster(allreplicas)?|arrowflight|arrowstream|prometheus.*',
    'mysql|postgresql|sqlite|mongodb|redis|odbc|jdbc|executable.*|input|merge|loop|eval|view(explain|ifpermitted)?',
    'dictionary|dict(get|has|isin).*|joinget.*|mergetree(index|projection|textindex|analyze.*|partinfo)|fuzzquery',
    'timeseries(data|tags|metrics|samples|selector)|hascolumnintable|getsetting.*|getserversetting|getmergetreesetting',
    'getmacro|getserverport|getclienthttpheader|getoskernelversion|hostname|fullhostname|fqdn|displayname|serveruuid|tcpport',
    'servertimezone|filesystem(available|capacity|unreserved)|addressto.*|demangle|showcertificate|zookeeper.*|shardnum',
    'currentroles|enabledroles|defaultroles|(current|enabled|default)profiles|authenticateduser|authuser|connection_?id',
    'additional_.*|parallel_replicas_custom_key.*',
    '(global)?(not)?(null)?in(ignoreset)?',
    'sleep|sleepeachrow|logtrace|generateserialid|catboostevaluate|evalmlmethod|modelevaluate|naivebayes.*|ai[a-z]+',
  ].join('|')})$`,
)
