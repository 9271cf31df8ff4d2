SELECT DATE_TRUNC('minute', "date") AS "date",
       MAX("temp_max") AS "MAX(temp_max)"
FROM "seattle_weather"
GROUP BY DATE_TRUNC('minute', "date")
ORDER BY "date" ASC
LIMIT 60;
-- []
