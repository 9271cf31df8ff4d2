SELECT DATETIME("date", 'start of year') AS "date",
       MAX("temp_max") AS "MAX(temp_max)"
FROM "seattle_weather"
GROUP BY DATETIME("date", 'start of year')
ORDER BY "date" ASC NULLS LAST
LIMIT 60;
-- []
