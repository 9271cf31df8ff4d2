SELECT STRFTIME('%Y-%m-%d %H:00:00', "date") AS "date",
       MAX("temp_max") AS "MAX(temp_max)"
FROM "seattle_weather"
GROUP BY STRFTIME('%Y-%m-%d %H:00:00', "date")
ORDER BY "date" ASC NULLS LAST
LIMIT 60;
-- []
