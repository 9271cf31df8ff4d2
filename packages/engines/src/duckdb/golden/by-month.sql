SELECT CAST(make_date((year("date") * 12 + month("date") - 1) // 12, (year("date") * 12 + month("date") - 1) % 12 + 1, 1) AS TIMESTAMP) AS "date",
       MAX("temp_max") AS "MAX(temp_max)"
FROM "seattle_weather"
GROUP BY (year("date") * 12 + month("date") - 1)
ORDER BY "date" ASC
LIMIT 60;
-- []
