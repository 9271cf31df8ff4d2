SELECT DATETIME("date", 'start of day', '-6 days', 'weekday 0') AS "date",
       MAX("temp_max") AS "MAX(temp_max)"
FROM "seattle_weather"
GROUP BY DATETIME("date", 'start of day', '-6 days', 'weekday 0')
ORDER BY "date" ASC NULLS LAST
LIMIT 60;
-- []
