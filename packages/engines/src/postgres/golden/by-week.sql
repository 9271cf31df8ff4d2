SELECT DATE_TRUNC('week', "date") AS "date",
       MAX("temp_max") AS "MAX(temp_max)"
FROM "seattle_weather"
GROUP BY DATE_TRUNC('week', "date")
ORDER BY "date" ASC
LIMIT 60;
-- []
