SELECT "weather" AS "weather",
       COUNT(*) AS "count"
FROM "seattle_weather"
WHERE "date" >= CAST($1 AS TIMESTAMP)
  AND "date" < CAST($2 AS TIMESTAMP)
GROUP BY "weather"
ORDER BY "weather" ASC
LIMIT 50000;
-- ["2013-02-01 00:00:00","2013-03-01 00:00:00"]
