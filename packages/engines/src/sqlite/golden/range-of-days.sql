SELECT "weather" AS "weather",
       COUNT(*) AS "count"
FROM "seattle_weather"
WHERE "date" >= ?
  AND "date" < ?
GROUP BY "weather"
ORDER BY "weather" ASC NULLS LAST
LIMIT 50000;
-- ["2013-02-01","2013-03-01"]
