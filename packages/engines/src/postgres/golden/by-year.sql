SELECT DATE_TRUNC('year', "date") AS "date",
       MAX("temp_max") AS "MAX(temp_max)"
FROM "seattle_weather"
GROUP BY DATE_TRUNC('year', "date")
ORDER BY "date" ASC
LIMIT 60;
-- []
