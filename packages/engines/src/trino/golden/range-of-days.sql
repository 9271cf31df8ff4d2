SELECT "weather" AS "weather",
       COUNT(*) AS "count"
FROM "seattle_weather"
WHERE "date" >= CAST('2013-02-01 00:00:00' AS TIMESTAMP(0))
  AND "date" < CAST('2013-03-01 00:00:00' AS TIMESTAMP(0))
GROUP BY "weather"
ORDER BY "weather" ASC NULLS LAST
LIMIT 50000;
-- ["2013-02-01 00:00:00","2013-03-01 00:00:00"]
