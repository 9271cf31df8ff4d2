SELECT make_timestamp_ms(date_diff('hour', DATE '1970-01-01', "date") * 3600000) AS "date",
       MAX("temp_max") AS "MAX(temp_max)"
FROM "seattle_weather"
GROUP BY date_diff('hour', DATE '1970-01-01', "date")
ORDER BY "date" ASC
LIMIT 60;
-- []
