SELECT DATE_TRUNC('day', "date") AS "date",
       MAX("temp_max") AS "MAX(temp_max)"
FROM "seattle_weather"
GROUP BY DATE_TRUNC('day', "date")
ORDER BY "date" ASC
LIMIT 60;
-- []
