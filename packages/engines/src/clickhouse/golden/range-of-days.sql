SELECT "weather" AS "weather_36404793",
       COUNT(*) AS "count_39b1ddf4"
FROM "seattle_weather"
WHERE "date" >= toDateTime64({p1:String}, 6, 'UTC')
  AND "date" < toDateTime64({p2:String}, 6, 'UTC')
GROUP BY "weather"
ORDER BY "weather_36404793" ASC NULLS LAST
LIMIT 50000;
-- ["2013-02-01 00:00:00","2013-03-01 00:00:00"]
