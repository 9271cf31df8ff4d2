SELECT CAST(CAST("date" AS DATE) AS TIMESTAMP) AS "date",
       MAX("temp_max") AS "MAX(temp_max)"
FROM "seattle_weather"
GROUP BY CAST("date" AS DATE)
ORDER BY "date" ASC
LIMIT 60;
-- []
