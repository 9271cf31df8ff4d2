SELECT make_timestamp_ms(date_diff('minute', DATE '1970-01-01', "date") * 60000) AS "date",
       MAX("temp_max") AS "MAX(temp_max)"
FROM "seattle_weather"
GROUP BY date_diff('minute', DATE '1970-01-01', "date")
ORDER BY "date" ASC
LIMIT 60;
-- []
