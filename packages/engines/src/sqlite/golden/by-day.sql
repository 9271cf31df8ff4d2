SELECT DATETIME("date", 'start of day') AS "date",
       MAX("temp_max") AS "MAX(temp_max)"
FROM "seattle_weather"
GROUP BY DATETIME("date", 'start of day')
ORDER BY "date" ASC NULLS LAST
LIMIT 60;
-- []
