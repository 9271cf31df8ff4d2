SELECT DATETIME("date", 'start of day', 'weekday 0', '-6 days') AS "date",
       MAX("temp_max") AS "MAX(temp_max)"
FROM "seattle_weather"
GROUP BY DATETIME("date", 'start of day', 'weekday 0', '-6 days')
ORDER BY "date" ASC NULLS LAST
LIMIT 60;
-- []
