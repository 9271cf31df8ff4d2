SELECT "Origin" AS "Origin",
       COUNT(*) AS "count"
FROM "cars"
WHERE "Year" >= CAST($1 AS TIMESTAMP)
  AND "Year" < $2
GROUP BY "Origin"
ORDER BY "Origin" ASC
LIMIT 50000;
-- ["1980-01-01 00:00:00","1982-01-01"]
