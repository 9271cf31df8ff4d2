SELECT COUNT(*) AS "c0",
       approx_count_distinct("Origin") AS "c1",
       epoch(MAX("Year")) - epoch(MIN("Year")) AS "c2",
       (SELECT COUNT(*) FROM "cars" TABLESAMPLE SYSTEM (1 PERCENT)) AS "c3"
FROM "cars" TABLESAMPLE SYSTEM (1 PERCENT)
WHERE "Origin" IN ($1, $2)
LIMIT 1
