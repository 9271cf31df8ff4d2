SELECT DATETIME("date") AS "date",
       MAX("temp_max") AS "MAX(temp_max)"
FROM "seattle_weather"
GROUP BY DATETIME("date")
ORDER BY "date" ASC NULLS LAST
LIMIT 60;
-- []
