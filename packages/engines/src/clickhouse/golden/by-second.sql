SELECT toStartOfSecond(toDateTime64("date", 6)) AS "date_d472dc59",
       MAX("temp_max") AS "MAX(temp_max)_a2880a2b"
FROM "seattle_weather"
GROUP BY toStartOfSecond(toDateTime64("date", 6))
ORDER BY "date_d472dc59" ASC NULLS LAST
LIMIT 60;
-- []
